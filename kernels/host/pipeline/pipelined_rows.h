// Mode `fast` with upstream gradients known beforehand: one pass over the logits sums the rows of a
// chunk and writes the gradient of the previous chunk.
#pragma once

#include <cstdint>

#include "call/global_results.h"
#include "host/pipeline/forward_call.h"
#include "host/simd/fused_kernels.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// The arguments of `forward_backward`.
struct FusedCall {
  const ForwardCall& forward;
  const UpstreamGradients& upstream;
  const StatisticsViews& out;
  const MutableVocabShard& gradient;
  std::int64_t global_valid_tokens;
};

/// Rows of a chunk of pipelined_rows. 0 if forward and backward have to be two passes: where a
/// gradient is not e^z times a coefficient, and where the exponentials of a chunk as the caller
/// wants it would not stay in a cache.
std::int64_t pipelined_chunk(const FusedCall& call);

/// Collective over `tp`: one all-gather per chunk, as in mode `fast`. Adds the rows to `sums`.
void pipelined_rows(const FusedCall& call, std::int64_t chunk, cpu::Exponentials& exponentials,
                    LocalSums& sums);

}  // namespace vparity
