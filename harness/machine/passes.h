// Lower bounds for the time of kernels: reading memory once, and copying it once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vparity::harness {

/// Reads every byte once and returns a sum that changes with each of them: that of the 64-bit
/// little-endian words, the last one filled up with zeros. `prefetch_distance` is how many bytes
/// ahead of the reads memory is asked for; 0 leaves that to the processor.
std::uint64_t read_pass(std::span<const std::byte> from, std::size_t prefetch_distance);

/// Copies `from` to the memory of `to`, of the same size and apart from it, by non-temporal stores,
/// which spare the read of what they overwrite. All is visible to other threads on return.
void copy_pass(std::span<const std::byte> from, std::span<std::byte> to,
               std::size_t prefetch_distance);

}  // namespace vparity::harness
