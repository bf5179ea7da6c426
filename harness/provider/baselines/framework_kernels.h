// What the baselines share. Both do what frameworks do eagerly: each operation is a pass of its own
// over fp32 tensors in memory, and the softmax is kept for the backward. They differ in how a row's
// shards come together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/provider/baselines/tensor.h"
#include "harness/provider/job_totals.h"
#include "harness/provider/provider.h"

namespace vparity::harness::baselines {

/// A whole row: F, s and u of semantics 2, and z of its label, which is 0 for an ignored one.
struct SoftmaxRow {
  float max = 0;
  float sum = 0;
  float weighted_sum = 0;
  float target = 0;
};

/// The gradient of a row: p_v (softmax + log_softmax log p_v), and `label` more at its label.
struct GradientRow {
  bool used = false;  ///< it has an upstream gradient; if not, it is +0 whatever the logits hold
  float log_sum = 0;  ///< L
  float softmax = 0;
  float log_softmax = 0;
  float label = 0;
};

class FrameworkKernels : public KernelSession {
 public:
  FrameworkKernels(const Problem& problem, ProcessGroups groups, const ShardColumns& own)
      : problem_(problem), groups_(groups), own_(own) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override;
  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override;

 protected:
  static constexpr std::int64_t no_label = -1;

  /// Collective over TP. Labels are global columns, or no_label where ignored.
  virtual void statistics(const VocabShard& logits, std::span<const std::int64_t> labels,
                          std::span<SoftmaxRow> rows) = 0;

  /// Every valid column of `gradient`.
  virtual void write_gradient(std::span<const GradientRow> rows,
                              std::span<const std::int64_t> labels,
                              const MutableRows& gradient) = 0;

  /// z of a row of logits, in place.
  void centre(std::span<float> logits, float max) const;

  /// The gradient with respect to the columns from `begin` on, whose z and p are given; one pass
  /// after the other over all rows of `out`.
  void softmax_gradient(const FloatRows& z, const FloatRows& p, std::span<const GradientRow> rows,
                        std::span<const std::int64_t> labels, std::int64_t begin,
                        const FloatRows& out);

  const Problem& problem() const { return problem_; }
  Communicator& tp() const { return groups_.tp; }
  const ShardColumns& own() const { return own_; }

 private:
  std::vector<std::int64_t> labels_of(const TokenIds& ids) const;
  RankTotals write_statistics(std::span<const std::int64_t> labels,
                              const StatisticsViews& out) const;
  GradientRow gradient_row(std::size_t t, bool labelled, const UpstreamGradients& upstream) const;
  void add_entropy_gradient(const FloatRows& z, const FloatRows& p,
                            std::span<const GradientRow> rows, const FloatRows& out);

  Problem problem_;
  ProcessGroups groups_;
  ShardColumns own_;
  std::vector<SoftmaxRow> rows_;  ///< of the last forward
  std::int64_t global_valid_tokens_ = 0;
  Tensor log_softmax_;
};

}  // namespace vparity::harness::baselines
