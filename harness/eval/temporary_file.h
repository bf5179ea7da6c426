// A file that grows under a temporary name beside its final one, and is removed unless committed:
// nobody ever sees half of it.
#pragma once

#include <string>

namespace vparity::harness {

class TemporaryFile {
 public:
  /// Creates an empty file. Throws UsageError, naming `final_path`, if it cannot be created there.
  explicit TemporaryFile(std::string final_path);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

  /// Gives the file its final name, replacing what had it. Whoever wrote the file has synced it.
  /// Throws std::system_error.
  void commit();

 private:
  std::string final_path_;
  std::string path_;
  bool committed_ = false;
};

}  // namespace vparity::harness
