// Shared memory of the running block.
#pragma once

#include <cstddef>
#include <type_traits>

namespace vparity::simt {

/// The memory of the declaration `site` in the running block: allocated and filled with bytes 0xFF
/// (NaN) when the first thread asks for it.
void* shared_memory(const void* site, std::size_t bytes, std::size_t alignment);

template <class Array>
Array& shared_array(const void* site) {
  static_assert(std::is_trivially_default_constructible_v<std::remove_all_extents_t<Array>>);
  return *static_cast<Array*>(shared_memory(site, sizeof(Array), alignof(Array)));
}

}  // namespace vparity::simt

/// `__shared__ type name[count]`, one per block and declaration.
#define VPARITY_SHARED(type, name, count)       \
  static constexpr char name##_declaration = 0; \
  using name##_array = type[count];             \
  name##_array& name = ::vparity::simt::shared_array<name##_array>(&name##_declaration)
