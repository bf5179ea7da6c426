#include "comm/distinct_gpus.h"

#include <fmt/format.h>

#include <map>

#include "vparity/errors.h"

namespace vparity {

void require_distinct_gpus(std::span<const GpuId> gpus) {
  std::map<GpuId, std::size_t> rank_of;
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    const auto [first, is_new] = rank_of.emplace(gpus[rank], rank);
    if (is_new) continue;
    throw CommunicationError(fmt::format(
        "ranks {} and {} of {} have the same GPU; NCCL needs one for each: give each rank its own, "
        "or let the contributions travel through the host (host-staged)",
        first->second, rank, gpus.size()));
  }
}

}  // namespace vparity
