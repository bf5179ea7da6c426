#include "harness/rank/execution/page_mapping.h"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace vparity::harness {

PageMapping::PageMapping(std::size_t bytes) : data_(nullptr), size_(bytes) {
  void* address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(address);
}

PageMapping::PageMapping(PageMapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

PageMapping::~PageMapping() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace vparity::harness
