#include "harness/provider/baselines/three_allreduce.h"

#include <cmath>
#include <functional>

#include "harness/provider/baselines/row_ops.h"

namespace vparity::harness::baselines {
namespace {

/// One value per element and rank becomes one per element, the same on every rank. The communicator
/// has one primitive: an all-gather, and a reduction in rank order.
template <class Op>
void all_reduce(Communicator& group, std::span<float> values, const Op& op) {
  std::vector<float> all(values.size() * static_cast<std::size_t>(group.size()));
  group.all_gather(std::as_bytes(values), std::as_writable_bytes(std::span(all)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = all[i];
    for (std::size_t j = i + values.size(); j < all.size(); j += values.size()) {
      values[i] = op(values[i], all[j]);
    }
  }
}

float max_keeping_nan(float a, float b) { return std::isnan(a) || a > b ? a : b; }

/// fp32 rows that the gradient can be made in.
bool holds_floats(const MutableRows& rows) {
  return rows.dtype == DType::fp32 &&
         reinterpret_cast<std::uintptr_t>(rows.data) % alignof(float) == 0;
}

}  // namespace

CallTraffic ThreeAllreduce::traffic(const Problem&, const RankShape& shape) {
  const double shard = shape.shard_elements() * sizeof(float);
  constexpr double forward_reads = 7, forward_writes = 4;
  const Traffic forward{shape.shard_bytes() + forward_reads * shard, forward_writes * shard};
  Traffic backward{shard, shard};
  if (shape.gradient != DType::fp32) backward = backward + Traffic{shard, shape.gradient_bytes()};
  return {forward, backward, forward + backward};
}

void ThreeAllreduce::statistics(const VocabShard& logits, std::span<const std::int64_t> labels,
                                std::span<SoftmaxRow> rows) {
  const Rows& from = logits.rows();
  z_.reshape(from.rows, own().valid());
  softmax_.reshape(from.rows, own().valid());
  if (own().valid() > 0) {
    for (std::int64_t t = 0; t < from.rows; ++t) widen(from.dtype, from.row(t), z_.row(t));
  }
  find_maxima(rows);
  find_targets(labels, rows);
  find_sums(rows);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    divide(softmax_.row(static_cast<std::int64_t>(t)), rows[t].sum);
  }
}

void ThreeAllreduce::find_maxima(std::span<SoftmaxRow> rows) {
  std::vector<float> maxima;
  for (std::int64_t t = 0; t < std::ssize(rows); ++t) maxima.push_back(maximum(z_.row(t)));
  all_reduce(tp(), maxima, max_keeping_nan);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    rows[t].max = maxima[t];
    centre(z_.row(static_cast<std::int64_t>(t)), maxima[t]);
  }
}

void ThreeAllreduce::find_targets(std::span<const std::int64_t> labels,
                                  std::span<SoftmaxRow> rows) {
  std::vector<float> targets(rows.size(), 0);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (!own().owns(labels[t])) continue;
    const auto column = static_cast<std::size_t>(labels[t] - own().begin);
    targets[t] = z_.row(static_cast<std::int64_t>(t))[column];
  }
  all_reduce(tp(), targets, std::plus<>());
  for (std::size_t t = 0; t < rows.size(); ++t) rows[t].target = targets[t];
}

void ThreeAllreduce::find_sums(std::span<SoftmaxRow> rows) {
  const auto count = std::ssize(rows);
  for (std::int64_t t = 0; t < count; ++t) exponentials(z_.row(t), softmax_.row(t));
  std::vector<float> sums;
  for (std::int64_t t = 0; t < count; ++t) sums.push_back(sum(softmax_.row(t)));
  for (std::int64_t t = 0; t < count; ++t) {
    sums.push_back(sum_of_products(softmax_.row(t), z_.row(t)));
  }
  all_reduce(tp(), sums, std::plus<>());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    rows[t].sum = sums[t];
    rows[t].weighted_sum = sums[rows.size() + t];
  }
}

void ThreeAllreduce::write_gradient(std::span<const GradientRow> rows,
                                    std::span<const std::int64_t> labels,
                                    const MutableRows& gradient) {
  const auto softmax_gradient_in = [&](const FloatRows& out) {
    softmax_gradient(z_.rows(), softmax_.rows(), rows, labels, own().begin, out);
  };
  if (holds_floats(gradient)) {
    return softmax_gradient_in(
        {reinterpret_cast<float*>(gradient.data), own().valid(), gradient.row_stride});
  }
  gradient_.reshape(gradient.rows, own().valid());
  softmax_gradient_in(gradient_.rows());
  for (std::int64_t t = 0; t < gradient.rows; ++t) {
    narrow(gradient.dtype, gradient_.row(t), gradient.row(t));
  }
}

}  // namespace vparity::harness::baselines
