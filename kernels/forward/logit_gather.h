// Mode `gather`: the logits of all shards on every rank, then the full-vocabulary kernel.
#pragma once

#include "forward/forward_call.h"

namespace vparity {

/// Collective over `tp`: one all-gather of the rows' logits without their padding. Each row is
/// summed as the only shard of V columns, whatever the split was, so that its bits depend on
/// nothing but its values.
FullRows gather_logits(const ForwardCall& call, RowRange rows);

}  // namespace vparity
