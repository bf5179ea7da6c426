// Anonymous memory straight from the system: zero pages that exist once they are touched.
#pragma once

#include <cstddef>

namespace vparity::harness {

/// Owns a private mapping of `bytes` bytes that reserves no memory. Throws std::bad_alloc if the
/// address space does not hold it.
class PageMapping {
 public:
  explicit PageMapping(std::size_t bytes);
  ~PageMapping();
  PageMapping(PageMapping&& other) noexcept;
  PageMapping& operator=(PageMapping&&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_;
  std::size_t size_;
};

}  // namespace vparity::harness
