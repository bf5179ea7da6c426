// Results that ranks must hold alike, compared bit for bit.
#pragma once

#include <cstdint>

#include "harness/rank/execution/rank_outputs.h"
#include "harness/rank/ranks/fixed_text.h"
#include "harness/rank/ranks/process_grid.h"

namespace vparity::harness {

/// Found by the first rank of each group, so that the ranks' findings add up.
struct Disagreement {
  std::int64_t values = 0;  ///< that are not the first rank's
  FixedText first;          ///< of these; empty: none

  void combine(const Disagreement& other) {
    if (values == 0) first = other.first;
    values += other.values;
  }
};

/// Collective over the grid's TP group (row outputs) and its world (global results).
Disagreement find_disagreement(const RankOutputs& outputs, std::int64_t first_row,
                               const ProcessGrid& grid);

}  // namespace vparity::harness
