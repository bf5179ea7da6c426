// What a provider writes on one rank.
#pragma once

#include <cstdint>
#include <memory>

#include "harness/provider/provider.h"
#include "harness/rank/execution/guarded_rows.h"
#include "harness/rank/execution/rank_inputs.h"

namespace vparity::harness {

/// All buffers are poisoned until the provider has written them.
struct RankOutputs {
  /// `rows`: T of this DP rank. The gradient lies where `placement` says, or in place of the
  /// logits.
  RankOutputs(const Problem& problem, const RankInputs& inputs, RowPlacement placement);

  StatisticsViews views();
  bool guards_intact() const;
  std::int64_t unwritten_elements() const;

  GlobalResults global;
  GuardedRows logprob;  ///< [T, K], fp32
  GuardedRows entropy;  ///< [T], fp32
  GuardedRows lse;      ///< [T], fp32
  GuardedRows loss;     ///< [T], fp32
  /// [T, width] of this rank's columns, Problem::gradient_dtype
  std::shared_ptr<GuardedRows> gradient;
  ShardColumns columns;
};

}  // namespace vparity::harness
