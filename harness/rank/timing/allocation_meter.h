// How much heap memory a rank takes while it does something.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vparity::harness {

/// From its construction on, on this thread, what `operator new` hands out: C++ containers, not
/// what an MPI library or a provider gets by malloc or mmap. Counted in programs that are linked
/// with counted_allocation.cpp; 0 in others. One at a time on a thread.
class AllocationMeter {
 public:
  AllocationMeter();

  /// The most there ever was since then, beyond what there was then.
  std::int64_t peak_bytes() const;
  /// How much more there is now; negative if less.
  std::int64_t held_bytes() const;

 private:
  std::int64_t before_;
};

/// For counted_allocation.cpp: this thread has got (or given back, if negative) so many bytes.
void count_allocation(std::int64_t bytes) noexcept;

}  // namespace vparity::harness
