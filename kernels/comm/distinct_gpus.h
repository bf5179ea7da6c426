// NCCL takes each GPU once.
#pragma once

#include <array>
#include <span>

namespace vparity {

/// A GPU's universally unique id.
using GpuId = std::array<unsigned char, 16>;

/// `gpus`: those of all ranks, in rank order. Throws CommunicationError that names two ranks which
/// have the same.
void require_distinct_gpus(std::span<const GpuId> gpus);

}  // namespace vparity
