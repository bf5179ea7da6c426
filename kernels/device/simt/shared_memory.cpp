#include "device/simt/shared_memory.h"

#include <cstring>

#include "device/simt/sanitizers.h"

namespace vparity::simt {

void* SharedArrays::find(const void* declaration, std::size_t bytes, std::size_t alignment) {
  for (const Array& array : arrays_) {
    if (array.declaration == declaration) return array.memory;
  }
  const sanitizers::Unseen unseen;
  Array array{declaration, nullptr, std::align_val_t(alignment)};
  arrays_.reserve(arrays_.size() + 1);
  array.memory = ::operator new(bytes, array.alignment);
  arrays_.push_back(array);
  return std::memset(array.memory, 0xFF, bytes);
}

void SharedArrays::clear() noexcept {
  const sanitizers::Unseen unseen;
  for (const Array& array : arrays_) ::operator delete(array.memory, array.alignment);
  arrays_.clear();
}

}  // namespace vparity::simt
