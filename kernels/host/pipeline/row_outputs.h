// Writes a chunk's results to the caller's views.
#pragma once

#include "call/global_results.h"
#include "host/pipeline/forward_call.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// Makes room for `rows` rows.
void resize(SavedStatistics& saved, std::int64_t rows, bool with_smoothing);

/// Fills the rows of every present view in `out`, and of `saved` if given, whose vectors already
/// have T elements. Adds the rows to `sums`.
void write_rows(const ForwardCall& call, RowRange rows, const FullRows& full,
                const StatisticsViews& out, SavedStatistics* saved, LocalSums& sums);

}  // namespace vparity
