// A regular file mapped into memory, read only.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace vparity::harness {

class MappedFile {
 public:
  /// Throws UsageError naming the file if it cannot be opened or mapped.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The whole file; page by page, it is read when it is looked at.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace vparity::harness
