// Checks that the views of one call fit each other. All throw ArgumentError, before any collective.
#pragma once

#include "vparity/policy_statistics.h"

namespace vparity {

/// `own` are the columns that this rank passed to the constructor.
void check_forward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                         const StatisticsViews& out);

void check_backward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                          const UpstreamGradients& upstream, const MutableVocabShard& gradient);

void check_saved(const SavedStatistics& saved, std::int64_t rows, bool with_smoothing);

}  // namespace vparity
