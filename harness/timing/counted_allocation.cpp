// The replaceable allocation functions ([new.delete]), with every byte counted. The forms that are
// not here call these.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "harness/timing/allocation_meter.h"

namespace {

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  vparity::harness::count_allocation(static_cast<std::int64_t>(malloc_usable_size(memory)));
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  vparity::harness::count_allocation(-static_cast<std::int64_t>(malloc_usable_size(memory)));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(align, (size + align - 1) / align * align));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
