// The check that each rank has its own GPU, which NCCL requires.
#pragma once

#include <array>
#include <span>

namespace vparity {

/// A GPU's universally unique id.
using GpuId = std::array<unsigned char, 16>;

/// `gpus` of all ranks, in rank order. Throws CommunicationError with the two ranks if two are the
/// same.
void require_distinct_gpus(std::span<const GpuId> gpus);

}  // namespace vparity
