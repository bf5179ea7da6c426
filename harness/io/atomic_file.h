// Files that are whole or absent, whatever kills the process that writes them.
#pragma once

#include <string>
#include <string_view>

namespace vparity::reports {

/// A file that grows under a temporary name beside its final one, and is removed unless committed.
/// Errors are std::system_error naming the path.
class TemporaryFile {
 public:
  /// Creates it, empty.
  explicit TemporaryFile(std::string final_path);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

  /// Gives it its final name, replacing what had it, and syncs the directory. The content has been
  /// synced by whoever wrote it.
  void commit();

 private:
  std::string final_path_;
  std::string path_;
  bool committed_ = false;
};

/// Writes a temporary file beside `path`, syncs it, renames it to `path`, syncs the directory.
/// Throws std::system_error naming the path; `path` then is what it was before.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace vparity::reports
