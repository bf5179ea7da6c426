// The tensors that `vparity eval` writes.
#pragma once

#include <string>

#include "harness/case/parameters.h"
#include "harness/io/safetensors/tensor.h"
#include "harness/rank/execution/rank_outputs.h"
#include "harness/rank/ranks/process_grid.h"

namespace vparity::harness {

/// Collective: every rank writes its columns of grad_logits [T, V], TP rank 0 of each DP group its
/// rows of logprob (the labels' shape), entropy, lse and loss [T]. `path` exists; it is complete
/// and synced when the call returns on every rank.
void write_eval_output(const std::string& path, const CaseParameters& parameters,
                       const TensorInfo& labels, std::int64_t first_row,
                       const RankOutputs& computed, const ProcessGrid& grid);

}  // namespace vparity::harness
