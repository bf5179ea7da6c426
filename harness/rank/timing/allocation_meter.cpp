#include "harness/rank/timing/allocation_meter.h"

#include <algorithm>

namespace vparity::harness {
namespace {

thread_local std::int64_t held = 0;  // negative where another thread's memory was given back
thread_local std::int64_t most_held = 0;

}  // namespace

AllocationMeter::AllocationMeter() : before_(held) { most_held = held; }

std::int64_t AllocationMeter::peak_bytes() const { return most_held - before_; }
std::int64_t AllocationMeter::held_bytes() const { return held - before_; }

void count_allocation(std::int64_t bytes) noexcept {
  held += bytes;
  most_held = std::max(most_held, held);
}

}  // namespace vparity::harness
