// The outputs of rows from the sums of all ranks, one thread per row.
#pragma once

#include <cmath>
#include <cstdint>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/target_logits.cuh"
#include "device/kernels/tiles.cuh"
#include "row/statistics.h"

namespace vparity::cuda {

template <DType kType>
__global__ void __launch_bounds__(threads_per_block) write_records_kernel(WriteRecords call) {
  const std::int64_t blocks = blocks_of(call.logits.columns);
  for (std::int64_t row = first_row_of_thread(); row < call.logits.rows; row += threads_of_grid()) {
    FullRowSums sums = no_shards;
    for (std::int64_t b = 0; b < blocks; ++b) {
      sums = merge(sums, call.blocks[row * blocks + b], call.transform.temperature);
    }
    call.records.put(row, narrowed(sums));
    for (int k = 0; k < call.targets.ids.columns(); ++k) {
      call.records.target(row, k) =
          own_target<kType>(call.logits, call.transform, call.targets, row, k);
    }
  }
}

/// Writes one row's results. `target(k)` is f(x) at an id that is not ignored. A row with a bad id
/// is NaN; the error is thrown after the next synchronisation.
template <class Target>
__device__ void write_row(const RowOutputs& outputs, const Targets& targets, const Options& options,
                          std::int64_t row, FullRowSums sums, const Target& target) {
  if (any_bad(targets, row)) sums = {nanf(""), nan(""), nan(""), nan(""), sums.n};
  const RowStatistics statistics(sums, options);
  const bool valid = !ignored(targets, row, 0);
  const float entropy = rounded_output(statistics.entropy());
  const float loss = valid ? rounded_output(statistics.loss(target(0))) : 0;
  const StatisticsViews& out = outputs.out;
  if (out.logprob.present()) {
    for (int k = 0; k < targets.ids.columns(); ++k) {
      out.logprob(row, k) =
          ignored(targets, row, k) ? 0 : rounded_output(statistics.logprob(target(k)));
    }
  }
  if (out.entropy.present()) out.entropy(row) = entropy;
  if (out.lse.present()) out.lse(row) = rounded_output(statistics.lse());
  if (out.loss.present()) out.loss(row) = loss;
  outputs.results[row] = {loss, entropy, valid, valid && statistics.degenerate()};

  outputs.saved.row_max[row] = sums.max;
  outputs.saved.sum_minus_one[row] = saved_sum_minus_one(sums);
  outputs.saved.entropy[row] = entropy;
  if (options.label_smoothing > 0) outputs.saved.valid_columns[row] = static_cast<float>(sums.n);
}

__global__ void __launch_bounds__(threads_per_block) write_outputs_kernel(WriteOutputs call) {
  for (std::int64_t row = first_row_of_thread(); row < call.rows; row += threads_of_grid()) {
    FullRowSums sums = no_shards;
    for (int rank = 0; rank < call.ranks; ++rank) {
      const Partial<RowSums> shard{call.records.of_rank(rank).sums(row)};
      sums = merge(sums, shard, call.options.temperature);
    }
    write_row(call.outputs, call.targets, call.options, row, sums, [&](int k) {
      return target_of_owner(call.records, call.shard_ends, call.ranks, call.targets, row, k);
    });
  }
}

/// One block, so that the order of the additions depends on the shapes alone.
__global__ void __launch_bounds__(threads_per_block) add_results_kernel(AddResults call) {
  VPARITY_SHARED(RowTotals, totals, threads_per_block);
  RowTotals own{0, 0, 0, 0};
  for (std::int64_t row = threadIdx.x; row < call.rows; row += threads_per_block) {
    const RowResult& result = call.results[row];
    if (result.valid == 0) continue;
    own.loss += result.loss;
    own.entropy += result.entropy;
    ++own.valid_tokens;
    own.degenerate_rows += result.degenerate;
  }
  totals[threadIdx.x] = own;
  for (unsigned half = threads_per_block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const RowTotals& other = totals[threadIdx.x + half];
    own = {own.loss + other.loss, own.entropy + other.entropy,
           own.valid_tokens + other.valid_tokens, own.degenerate_rows + other.degenerate_rows};
    totals[threadIdx.x] = own;
  }
  if (threadIdx.x != 0) return;
  RowTotals& all = *call.totals;
  all = {all.loss + own.loss, all.entropy + own.entropy, all.valid_tokens + own.valid_tokens,
         all.degenerate_rows + own.degenerate_rows};
}

}  // namespace vparity::cuda
