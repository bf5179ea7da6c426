// From the sums of blocks and ranks to what a row gives, a thread for each row; one function per
// step, each of which a known bug can replace.
#pragma once

#include <cstdint>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/row_outputs.cuh"
#include "device/kernels/target_logits.cuh"
#include "device/kernels/tiles.cuh"
#include "harness/provider/plain/cuda/plain_sums.cuh"
#include "row/sums.h"

namespace vparity::harness::plain_cuda {

struct RecordSteps {
  __device__ static std::int64_t blocks_that_count(std::int64_t blocks) { return blocks; }
  __device__ static FullRowSums with_block(const FullRowSums& sums, const RowSums& block,
                                           float temperature) {
    return merge(sums, Partial<RowSums>{block}, temperature);
  }
  template <DType kType>
  __device__ static float target(const cuda::WriteRecords& call, std::int64_t row, int k) {
    return cuda::own_target<kType>(call.logits, call.transform, call.targets, row, k);
  }
};

template <DType kType, class Steps>
__global__ void records_kernel(cuda::WriteRecords call) {
  const std::int64_t blocks = cuda::blocks_of(call.logits.columns);
  for (std::int64_t row = cuda::first_row_of_thread(); row < call.logits.rows;
       row += cuda::threads_of_grid()) {
    FullRowSums sums = no_shards;
    for (std::int64_t b = 0; b < Steps::blocks_that_count(blocks); ++b) {
      sums =
          Steps::with_block(sums, call.blocks[row * blocks + b].value, call.transform.temperature);
    }
    call.records.put(row, narrowed(sums));
    for (int k = 0; k < call.targets.ids.columns(); ++k)
      call.records.target(row, k) = Steps::template target<kType>(call, row, k);
  }
}

struct OutputSteps {
  /// Of all ranks.
  __device__ static FullRowSums sums(const cuda::WriteOutputs& call, std::int64_t row) {
    FullRowSums all = no_shards;
    for (int rank = 0; rank < call.ranks; ++rank) {
      const Partial<RowSums> shard{call.records.of_rank(rank).sums(row)};
      all = merge(all, shard, call.options.temperature);
    }
    return all;
  }
  __device__ static float target(const cuda::WriteOutputs& call, std::int64_t row, int k) {
    return cuda::target_of_owner(call.records, call.shard_ends, call.ranks, call.targets, row, k);
  }
};

template <class Steps>
__global__ void outputs_kernel(cuda::WriteOutputs call) {
  for (std::int64_t row = cuda::first_row_of_thread(); row < call.rows;
       row += cuda::threads_of_grid()) {
    cuda::write_row(call.outputs, call.targets, call.options, row, Steps::sums(call, row),
                    [&](int k) { return Steps::target(call, row, k); });
  }
}

}  // namespace vparity::harness::plain_cuda
