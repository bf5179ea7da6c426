// Measures the best prefetch distance of a pass, which depends on the machine.
#pragma once

#include <array>
#include <cstddef>
#include <functional>

namespace vparity::harness {

/// In bytes. The processor's own prefetching stops at every page of 4 KiB, so less than that gains
/// nothing, and more than 16 KiB of a stream begins to push other data out of the L1 cache.
inline constexpr std::array<std::size_t, 4> prefetch_distances{0, 4096, 8192, 16384};

/// The prefetch distance with the fastest `pass(distance)`: best of `rounds` runs, with the
/// distances taking turns. A first, untimed run faults the memory in.
std::size_t best_prefetch_distance(const std::function<void(std::size_t)>& pass, int rounds = 5);

}  // namespace vparity::harness
