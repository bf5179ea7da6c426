// What a framework does whose cross entropy knows no shards: gathers the logits of all ranks, forms
// statistics and gradient of the whole vocabulary in fp32, and keeps its own slice of the latter.
// Passes over all V columns: the collective, a copy to fp32, softmax row by row in a cache (one
// read, two writes) as fused softmax kernels have it; and backward 1 read + 1 write, with the
// entropy's gradient 5 + 3 more; then the slice.
#pragma once

#include "harness/provider/baselines/framework_kernels.h"

namespace vparity::harness::baselines {

class GatherFullGrad final : public FrameworkKernels {
 public:
  /// Collective over TP: the ranks tell each other how wide their shards are.
  GatherFullGrad(const Problem& problem, ProcessGroups groups, const ShardColumns& own);

  /// Of the passes named above, with a gradient of the loss or of the log-probabilities.
  static CallTraffic traffic(const Problem& problem, const RankShape& shape);

 private:
  void statistics(const VocabShard& logits, std::span<const std::int64_t> labels,
                  std::span<SoftmaxRow> rows) override;
  void write_gradient(std::span<const GradientRow> rows, std::span<const std::int64_t> labels,
                      const MutableRows& gradient) override;

  void gather(const Rows& logits);
  std::span<const std::byte> contiguous(const Rows& logits);
  SoftmaxRow softmax_of_row(std::int64_t t, std::int64_t label);

  std::vector<std::int64_t> widths_;  ///< of the shards, in rank order, without padding
  Buffer<std::byte> packed_, gathered_;
  Tensor z_;        ///< [T, V], first the logits
  Tensor softmax_;  ///< [T, V], first their exponentials
  Tensor gradient_;
};

}  // namespace vparity::harness::baselines
