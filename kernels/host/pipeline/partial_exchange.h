// Mode `fast`: each rank sums its own columns; the sums of all shards are exchanged and merged.
#pragma once

#include <span>

#include "host/pipeline/forward_call.h"

namespace vparity {

/// Collective over `tp`: one all-gather of SumRecords (24 bytes per row with one id column and
/// without label smoothing), then the merge in rank order.
FullRows exchange_partials(const ForwardCall& call, RowRange rows);

/// The exchange of rows that have been summed already: own.size() == rows.count.
FullRows exchange_sums(const ForwardCall& call, RowRange rows,
                       std::span<const Partial<RowSums>> own);

}  // namespace vparity
