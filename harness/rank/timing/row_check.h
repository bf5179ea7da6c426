// Some rows of a timed call against the reference.
#pragma once

#include <cstdint>

#include "harness/case/operands.h"
#include "harness/provider/provider.h"
#include "harness/rank/element_comparison/comparison.h"
#include "harness/rank/execution/rank_inputs.h"
#include "harness/rank/execution/rank_outputs.h"
#include "harness/rank/ranks/process_grid.h"

namespace vparity::harness {

/// Everything is borrowed.
struct RowCheck {
  const Operands& operands;
  const Problem& problem;
  std::int64_t valid_tokens = 0;  ///< of all DP ranks
  std::int64_t first_row = 0;     ///< global, of this rank's rows
  int world_rank = 0;
};

/// What of a row was computed.
struct ComputedParts {
  bool statistics = true;
  bool gradient = true;
};

/// Compares row `t` of this rank: its statistics, and its part of the gradient. O(V) memory.
void compare_timed_row(const RowCheck& check, const ComputedParts& parts, std::int64_t t,
                       const RankOutputs& outputs, Comparisons& comparisons);

}  // namespace vparity::harness
