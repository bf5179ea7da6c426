// Files that are complete or absent, even if the process that writes them is killed.
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

  /// Renames it to its final name, replacing an older file, and syncs the directory. The writer
  /// must have synced the content.
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
