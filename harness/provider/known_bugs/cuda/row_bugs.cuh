// Bugs in what becomes of the sums of blocks and ranks, and in who has a row's target.
#pragma once

#include <algorithm>
#include <cstdint>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/plain/cuda/plain_cuda_kernels.h"
#include "harness/provider/plain/cuda/plain_launches.cuh"

namespace vparity::harness::cuda_bugs {

/// The plain kernels with other steps in the one that makes a rank's records.
template <class Steps>
struct WrongRecords : PlainCudaKernels {
  static constexpr KnownBug known = Steps::known;
  using PlainCudaKernels::PlainCudaKernels;
  void write_records(const cuda::WriteRecords& call) override {
    plain_cuda::start_records<Steps>(call);
  }
};

/// The same of the one that merges the ranks' records.
template <class Steps>
struct WrongOutputs : PlainCudaKernels {
  static constexpr KnownBug known = Steps::known;
  using PlainCudaKernels::PlainCudaKernels;
  void write_outputs(const cuda::WriteOutputs& call) override {
    plain_cuda::start_outputs<Steps>(call);
  }
};

struct FirstBlockOnly : plain_cuda::RecordSteps {
  static constexpr KnownBug known{"known-bug-cuda-first-block-only",
                                  "of a row that several blocks sum, the first one's counts", "",
                                  "*,dp=1,*,dtype=fp32,*,mode=fast,*,tp=2,*,vocab=128256,*"};
  __device__ static std::int64_t blocks_that_count(std::int64_t) { return 1; }
};

struct UnmovedBlocks : plain_cuda::RecordSteps {
  static constexpr KnownBug known{
      "known-bug-cuda-unmoved-blocks",
      "the sums of blocks are added without moving them to the larger maximum", "",
      "*,dp=1,*,dtype=fp32,*,mode=fast,*,tp=2,*,vocab=128256,*"};
  __device__ static FullRowSums with_block(const FullRowSums& sums, const RowSums& block, float) {
    return {std::max(sums.max, block.max), sums.s + block.s, sums.u + block.u, sums.a + block.a,
            sums.n + block.n};
  }
};

struct OwnerByDivision : plain_cuda::OutputSteps {
  static constexpr KnownBug known{
      "known-bug-cuda-owner-by-division", "an id's rank is id / ceil(V / TP) in every layout", "",
      "*,labels=shard_edges,layout=balanced,*,mode=fast,*,tp=4,*,vocab=129,*"};
  __device__ static float target(const cuda::WriteOutputs& call, std::int64_t row, int k) {
    if (cuda::ignored(call.targets, row, k) || cuda::bad(call.targets, row, k)) return 0;
    const std::int64_t per_rank = (call.targets.vocab + call.ranks - 1) / call.ranks;
    const auto owner = static_cast<int>(call.targets.ids(row, k) / per_rank);
    return call.records.of_rank(owner).target(row, k);
  }
};

/// The column that is read on every rank, and the mask that it is multiplied with.
struct OwnerMaskProduct : PlainCudaKernels {
  static constexpr KnownBug known{
      "known-bug-cuda-owner-mask-product",
      "every rank reads a column for the target, which is multiplied with its owner mask",
      "NeMo-RL", "*,logits=normal,mask=all_but_one,mode=fast,*,tp=[24],*"};
  using PlainCudaKernels::PlainCudaKernels;

  struct Records : plain_cuda::RecordSteps {
    template <DType kType>
    __device__ static float target(const cuda::WriteRecords& call, std::int64_t row, int k) {
      if (cuda::owns(call.targets.own, call.targets.ids(row, k)) || call.logits.columns == 0)
        return RecordSteps::target<kType>(call, row, k);
      return cuda::transformed(cuda::stored_logit<kType>(call.logits, row, 0), call.transform);
    }
  };
  struct Outputs : plain_cuda::OutputSteps {
    __device__ static float target(const cuda::WriteOutputs& call, std::int64_t row, int k) {
      const int owner = cuda::owner_of(call.shard_ends, call.ranks, call.targets.ids(row, k));
      float sum = 0;
      for (int rank = 0; rank < call.ranks; ++rank) {
        const float mask = rank == owner ? 1.0F : 0.0F;
        sum += mask * call.records.of_rank(rank).target(row, k);
      }
      return sum;
    }
  };
  void write_records(const cuda::WriteRecords& call) override {
    plain_cuda::start_records<Records>(call);
  }
  void write_outputs(const cuda::WriteOutputs& call) override {
    plain_cuda::start_outputs<Outputs>(call);
  }
};

struct LocalSmoothing : plain_cuda::OutputSteps {
  static constexpr KnownBug known{
      "known-bug-cuda-local-smoothing",
      "label smoothing with the shard's own column count and mean",
      "NVIDIA/Megatron-LM#737, NVIDIA/Megatron-LM#7452, NVIDIA/apex#1457",
      "*,label_smoothing=0.1,*,mask=none,mode=fast,*,tp=[24],*"};
  __device__ static FullRowSums sums(const cuda::WriteOutputs& call, std::int64_t row) {
    FullRowSums all = OutputSteps::sums(call, row);
    const int own = cuda::owner_of(call.shard_ends, call.ranks, call.targets.own.begin);
    const RowSums shard = call.records.of_rank(own).sums(row);
    all.a = shard.a + shard.n * (double{shard.max} - all.max) / call.options.temperature;
    all.n = shard.n;
    return all;
  }
};

struct Ids32Bit : PlainCudaKernels {
  static constexpr KnownBug known{"known-bug-cuda-32-bit-ids",
                                  "the ids are read as 32-bit numbers, whatever they are", "",
                                  "*,labels=uniform,*,tp=2,*,vocab=257,weights=ones,*"};
  using PlainCudaKernels::PlainCudaKernels;
  void write_records(const cuda::WriteRecords& call) override {
    cuda::WriteRecords wrong = call;
    wrong.targets.ids.wide = false;
    PlainCudaKernels::write_records(wrong);
  }
};

}  // namespace vparity::harness::cuda_bugs
