// Results that ranks must hold alike, compared bit for bit.
#pragma once

#include "harness/check/fixed_text.h"
#include "harness/check/process_grid.h"
#include "harness/check/rank_outputs.h"

namespace vparity::harness {

/// Collective over the grid's TP group (row outputs) and its world (global results). The first
/// difference this rank knows of; empty if there is none.
FixedText find_disagreement(const RankOutputs& outputs, std::int64_t first_row,
                            const ProcessGrid& grid);

}  // namespace vparity::harness
