// The shared arrays of a block, each in an allocation of its own so that AddressSanitizer sees its
// ends.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace vparity::simt {

class SharedArrays {
 public:
  SharedArrays() = default;
  ~SharedArrays() { clear(); }
  SharedArrays(const SharedArrays&) = delete;
  SharedArrays& operator=(const SharedArrays&) = delete;

  /// The array that is known by the address `declaration`; filled with bytes 0xFF when it is new.
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

}  // namespace vparity::simt
