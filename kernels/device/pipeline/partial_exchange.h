// Mode `fast` on a device: each rank sums its own columns; the sums of all shards are exchanged and
// merged.
#pragma once

#include "device/pipeline/forward_call.h"

namespace vparity::cuda {

/// Collective over `tp`: one all-gather of SumRecords.
void exchange_partials(const ForwardCall& call, RowRange rows, const RowOutputs& outputs);

/// The sums of `logits` for `targets`, exchanged with all ranks, or with none if `exchanged_with`
/// is 1.
void exchange_sums(const ForwardCall& call, RowRange rows, const Logits& logits,
                   const Targets& targets, int exchanged_with, const RowOutputs& outputs);

}  // namespace vparity::cuda
