// Providers that crash, hang or misbehave on one rank, for tests of what then becomes of a run.
// Known only to the test programs of this folder.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// What goes wrong in `forward`.
struct Misbehaviour {
  std::string_view name;
  /// On the rank that misbehaves: before the other ranks can have got past the collective, and
  /// after it, when all results are there. Either may be absent.
  void (*before)(Communicator& tp) = nullptr;
  void (*after)(const StatisticsViews& out) = nullptr;
};

const std::vector<Misbehaviour>& all_misbehaviours();

/// Named "crashing-HOW-on-RANK", of the world. Everything else is as the kernels of this
/// repository do it.
class CrashingProvider final : public Provider {
 public:
  /// `misbehaviour` is borrowed.
  CrashingProvider(const Misbehaviour& misbehaviour, int rank);

  std::string_view name() const override { return name_; }
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override;

 private:
  const Misbehaviour& misbehaviour_;
  int rank_;
  std::string name_;
};

/// All misbehaviours on each of four ranks, the crashing CUDA kernels, and the kernels of this
/// repository: the providers of the test programs of this folder.
std::span<const Provider* const> crashing_providers();

}  // namespace vparity::harness
