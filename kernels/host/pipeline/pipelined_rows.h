// Mode `fast` with upstream gradients known beforehand: the sums of a chunk's rows are made in the
// pass that writes the gradient of the chunk before.
#pragma once

#include <cstdint>

#include "host/simd/kept_terms.h"
#include "host/pipeline/forward_call.h"
#include "host/pipeline/global_results.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// What `forward_backward` was called with.
struct FusedCall {
  const ForwardCall& forward;
  const UpstreamGradients& upstream;
  const StatisticsViews& out;
  const MutableVocabShard& gradient;
  std::int64_t global_valid_tokens;
};

/// Rows of a chunk of pipelined_rows, or 0 if the two passes have to be made one after the other:
/// where a gradient takes more than e^z times a coefficient, and where the terms of a chunk as the
/// caller wants it would not stay in a cache.
std::int64_t pipelined_chunk(const FusedCall& call);

/// Collective over `tp`: one all-gather per chunk, as in mode `fast`. Adds the rows to `sums`.
void pipelined_rows(const FusedCall& call, std::int64_t chunk, cpu::KeptTerms& kept,
                    LocalSums& sums);

}  // namespace vparity
