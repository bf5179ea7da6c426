// How far ahead of a pass memory is best asked for; it depends on the machine, so it is tried.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace vparity::harness {

/// In bytes. The processor's own prefetching stops at every page of 4 KiB, so less than that gains
/// nothing, and more than 16 KiB of a stream begins to push other data out of the L1 cache.
inline constexpr std::array<std::size_t, 4> prefetch_distances{0, 4096, 8192, 16384};

/// That of prefetch_distances with which `pass(distance)` was fastest in the best of `rounds` runs,
/// the distances taking turns. The first, untimed one faults the memory in.
std::size_t best_prefetch_distance(const std::function<void(std::size_t)>& pass, int rounds = 5);

}  // namespace vparity::harness
