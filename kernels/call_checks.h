// Whether the views of one call fit each other; all throw ArgumentError, before any collective.
#pragma once

#include "vparity/policy_statistics.h"

namespace vparity {

/// `own` are the columns this rank stated when the kernel set was bound.
void check_forward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                         const StatisticsViews& out);

void check_backward_views(const VocabShard& logits, const ShardColumns& own, const TokenIds& ids,
                          const SavedStatistics& saved, const UpstreamGradients& upstream,
                          const MutableVocabShard& gradient, bool with_smoothing);

}  // namespace vparity
