// Kernel sets that crash, hang or misbehave on one rank, for tests of what then becomes of a run.
// Known only to the test programs of this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// What goes wrong in `forward`.
struct Fault {
  std::string_view name;
  /// On the rank that breaks: before the other ranks can have got past the collective, and after
  /// it, when all results are there. Either may be absent.
  void (*before)(Communicator& tp) = nullptr;
  void (*after)(const StatisticsViews& out) = nullptr;
};

const std::vector<Fault>& all_faults();

/// Named "broken-FAULT-on-RANK", of the world. Everything else is as the kernels of this
/// repository do it.
class BrokenProvider final : public Provider {
 public:
  /// `fault` is borrowed.
  BrokenProvider(const Fault& fault, int rank);

  std::string_view name() const override { return name_; }
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override;

 private:
  const Fault& fault_;
  int rank_;
  std::string name_;
};

}  // namespace vparity::harness
