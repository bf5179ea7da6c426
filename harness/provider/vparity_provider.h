// The kernels of this repository as a provider.
#pragma once

#include "harness/provider/provider.h"

namespace vparity::harness {

class VparityProvider final : public Provider {
 public:
  std::string_view name() const override { return "vparity"; }
  bool runs_on(Backend) const override { return true; }
  std::optional<std::string> unsupported(const Problem& problem) const override;
  /// A gather writes what it has read of all ranks, and reads it once more.
  CallTraffic traffic(const Problem& problem, const RankShape& shape) const override;
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override;
};

/// The same kernels by their fused call.
class VparityFusedProvider final : public Provider {
 public:
  std::string_view name() const override { return "vparity-fused"; }
  std::optional<std::string> unsupported(const Problem& problem) const override {
    return VparityProvider().unsupported(problem);
  }
  /// What the backward reads is in a cache by then.
  CallTraffic traffic(const Problem& problem, const RankShape& shape) const override;
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override;
};

}  // namespace vparity::harness
