// The logits at the token ids of a row.
#pragma once

#include <cstdint>

#include "host/simd/row_kernels.h"
#include "vparity/placement.h"

namespace vparity {

/// f(x) of one logit of a shard, at its local column; -inf if the logit is masked, also under a
/// softcap (semantics 1).
float target_logit(const VocabShard& logits, std::int64_t row, std::int64_t column,
                   const Transform& transform);

}  // namespace vparity
