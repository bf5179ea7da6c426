// Whether the views of one call fit each other; all throw ArgumentError, before any collective.
#pragma once

#include "vparity/policy_statistics.h"

namespace vparity {

/// `own` are the columns this rank stated when the kernels were bound.
void check_forward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                         const StatisticsViews& out);

void check_backward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                          const UpstreamGradients& upstream, const MutableVocabShard& gradient);

void check_saved(const SavedStatistics& saved, std::int64_t rows, bool with_smoothing);

}  // namespace vparity
