// Address space that takes memory only where it is touched, for offsets that real data would need
// gigabytes to reach.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace vparity::testing {

/// Zeros until written.
class SparseMapping {
 public:
  explicit SparseMapping(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (data_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  }
  ~SparseMapping() { munmap(data_, bytes_); }
  SparseMapping(const SparseMapping&) = delete;
  SparseMapping& operator=(const SparseMapping&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  std::size_t bytes_;
  void* data_;
};

}  // namespace vparity::testing
