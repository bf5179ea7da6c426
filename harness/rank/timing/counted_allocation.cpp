// The replaceable allocation functions ([new.delete]), with every byte counted. All of them: those
// that are left to a sanitizer's runtime call its own and not these, and are freed here.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "harness/rank/timing/allocation_meter.h"

namespace {

void* counted(void* memory) noexcept {
  if (memory != nullptr) {
    vparity::harness::count_allocation(static_cast<std::int64_t>(malloc_usable_size(memory)));
  }
  return memory;
}

void* take(std::size_t size) noexcept { return counted(std::malloc(size)); }

void* take(std::size_t size, std::align_val_t alignment) noexcept {
  const auto align = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(align, (size + align - 1) / align * align));
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  vparity::harness::count_allocation(-static_cast<std::int64_t>(malloc_usable_size(memory)));
  std::free(memory);
}

}  // namespace

using std::align_val_t, std::nothrow_t, std::size_t;

void* operator new(size_t size) { return or_throw(take(size)); }
void* operator new[](size_t size) { return or_throw(take(size)); }
void* operator new(size_t size, align_val_t align) { return or_throw(take(size, align)); }
void* operator new[](size_t size, align_val_t align) { return or_throw(take(size, align)); }
void* operator new(size_t size, const nothrow_t&) noexcept { return take(size); }
void* operator new[](size_t size, const nothrow_t&) noexcept { return take(size); }
void* operator new(size_t size, align_val_t align, const nothrow_t&) noexcept {
  return take(size, align);
}
void* operator new[](size_t size, align_val_t align, const nothrow_t&) noexcept {
  return take(size, align);
}

void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, size_t) noexcept { give_back(memory); }
void operator delete(void* memory, align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, size_t, align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, size_t, align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const nothrow_t&) noexcept { give_back(memory); }
void operator delete(void* memory, align_val_t, const nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, align_val_t, const nothrow_t&) noexcept { give_back(memory); }
