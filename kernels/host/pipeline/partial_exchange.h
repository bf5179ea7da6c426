// Mode `fast`: each rank sums its own columns, and the sums of all shards are merged.
#pragma once

#include <span>

#include "host/pipeline/forward_call.h"

namespace vparity {

/// Collective over `tp`: one all-gather of 24 bytes per row with one id column (4 more for each
/// further one, 12 more with label smoothing), then the merge in rank order.
FullRows exchange_partials(const ForwardCall& call, RowRange rows);

/// The same of rows that have been summed, one element each.
FullRows exchange_sums(const ForwardCall& call, RowRange rows,
                       std::span<const Partial<RowSums>> own);

}  // namespace vparity
