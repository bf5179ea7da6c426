// Shared memory of the running block.
#pragma once

#include <cstddef>
#include <type_traits>

namespace vparity::simt {

/// The memory of a declaration in the running block: filled with bytes 0xFF (NaN) before the first
/// thread sees it.
void* shared_memory(const void* declaration, std::size_t bytes, std::size_t alignment);

template <class Array>
Array& shared_array(const void* declaration) {
  static_assert(std::is_trivially_default_constructible_v<std::remove_all_extents_t<Array>>);
  return *static_cast<Array*>(shared_memory(declaration, sizeof(Array), alignof(Array)));
}

}  // namespace vparity::simt

/// `__shared__ type name[count]`, one per block and declaration.
#define VPARITY_SHARED(type, name, count)       \
  static constexpr char name##_declaration = 0; \
  using name##_array = type[count];             \
  name##_array& name = ::vparity::simt::shared_array<name##_array>(&name##_declaration)
