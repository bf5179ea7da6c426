// Writes a chunk's results to the caller's views.
#pragma once

#include "host/pipeline/forward_call.h"
#include "host/pipeline/global_results.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// Room for `rows` rows.
void resize(SavedStatistics& saved, std::int64_t rows, bool with_smoothing);

/// Fills the rows of every present view of `out`, and of `saved` if given (its vectors already have
/// T elements), and adds the rows to `sums`.
void write_rows(const ForwardCall& call, RowRange rows, const FullRows& full,
                const StatisticsViews& out, SavedStatistics* saved, LocalSums& sums);

}  // namespace vparity
