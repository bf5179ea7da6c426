// Mode `gather` on a device: the logits of all shards on every rank, then the full-vocabulary
// kernels.
#pragma once

#include "device/pipeline/forward_call.h"

namespace vparity::cuda {

/// Collective over `tp`: one all-gather of the rows' logits without their padding. Each row is
/// summed as the only shard of V columns, at one alignment, so that its bits depend on its values
/// alone.
void gather_logits(const ForwardCall& call, RowRange rows, const RowOutputs& outputs);

}  // namespace vparity::cuda
