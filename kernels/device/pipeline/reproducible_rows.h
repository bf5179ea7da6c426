// Mode `reproducible` on a device: first the maximum over all shards, then sums that are the same
// in any order.
#pragma once

#include "device/pipeline/forward_call.h"

namespace vparity::cuda {

/// Collective over `tp`: an all-gather of MaximumRecords, then one of GridSums.
void reproducible_rows(const ForwardCall& call, RowRange rows, const RowOutputs& outputs);

}  // namespace vparity::cuda
