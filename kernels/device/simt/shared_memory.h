// Shared memory of a block.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace vparity::simt {

/// The shared arrays of one block. Each is an allocation of its own, so that AddressSanitizer sees
/// its ends.
class SharedArrays {
 public:
  SharedArrays() = default;
  ~SharedArrays() { clear(); }
  SharedArrays(const SharedArrays&) = delete;
  SharedArrays& operator=(const SharedArrays&) = delete;

  /// The array that is known by the address `declaration`; filled with bytes 0xFF (NaN) when it is
  /// new.
  void* find(const void* declaration, std::size_t bytes, std::size_t alignment);
  void clear() noexcept;

 private:
  struct Array {
    const void* declaration;
    void* memory;
    std::align_val_t alignment;
  };
  std::vector<Array> arrays_;
};

/// SharedArrays::find of the running block.
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
