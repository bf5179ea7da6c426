// The vocab-parallel cross entropy of Megatron-LM (core/tensor_parallel/cross_entropy.py), with the
// entropy beside it: an fp32 copy of the shard, all-reduces of the maxima, of the targets' logits
// and of the sums, and a softmax in memory. Passes over the shard in fp32, reads + writes: copy 1 +
// 1, maximum 1, subtraction 1 + 1, exponential 1 + 1, sum 1, entropy's sum 2, division 1 + 1; and
// backward 1 + 1, with the entropy's gradient 5 + 3 more, and a cast for 16-bit gradients.
#pragma once

#include "harness/provider/baselines/framework_kernels.h"

namespace vparity::harness::baselines {

class ThreeAllreduce final : public FrameworkKernels {
 public:
  using FrameworkKernels::FrameworkKernels;

  /// Of the passes named above, with a gradient of the loss or of the log-probabilities.
  static CallTraffic traffic(const Problem& problem, const RankShape& shape);

 private:
  void statistics(const VocabShard& logits, std::span<const std::int64_t> labels,
                  std::span<SoftmaxRow> rows) override;
  void write_gradient(std::span<const GradientRow> rows, std::span<const std::int64_t> labels,
                      const MutableRows& gradient) override;

  void find_maxima(std::span<SoftmaxRow> rows);
  void find_targets(std::span<const std::int64_t> labels, std::span<SoftmaxRow> rows);
  void find_sums(std::span<SoftmaxRow> rows);

  Tensor z_;        ///< first the logits
  Tensor softmax_;  ///< first their exponentials
  Tensor gradient_;
};

}  // namespace vparity::harness::baselines
