#include "harness/provider/baselines/gather_full_grad.h"

#include <cstring>

#include "harness/provider/baselines/row_ops.h"

namespace vparity::harness::baselines {

GatherFullGrad::GatherFullGrad(const Problem& problem, ProcessGroups groups,
                               const ShardColumns& own)
    : FrameworkKernels(problem, groups, own), widths_(all_gather_values(groups.tp, own.valid())) {}

CallTraffic GatherFullGrad::traffic(const Problem&, const RankShape& shape) {
  const double full = shape.full_elements() * sizeof(float);
  const Traffic collective{shape.full_bytes(), shape.full_bytes()};
  const Traffic copy{shape.full_bytes(), full};
  const Traffic softmax{full, 2 * full};
  const Traffic whole_gradient{full, full};
  const Traffic slice{shape.shard_elements() * sizeof(float), shape.gradient_bytes()};
  const Traffic forward = collective + copy + softmax, backward = whole_gradient + slice;
  return {forward, backward, forward + backward};
}

void GatherFullGrad::statistics(const VocabShard& logits, std::span<const std::int64_t> labels,
                                std::span<SoftmaxRow> rows) {
  const Rows& from = logits.rows();
  z_.reshape(from.rows, problem().vocab);
  softmax_.reshape(from.rows, problem().vocab);
  gather(from);
  for (std::int64_t t = 0; t < from.rows; ++t) {
    const auto i = static_cast<std::size_t>(t);
    rows[i] = softmax_of_row(t, labels[i]);
  }
}

/// The logits of all ranks to z_.
void GatherFullGrad::gather(const Rows& logits) {
  const std::size_t element = size_of(logits.dtype);
  std::vector<std::size_t> bytes;
  for (const std::int64_t width : widths_) {
    bytes.push_back(static_cast<std::size_t>(logits.rows * width) * element);
  }
  const auto all_bytes = static_cast<std::size_t>(logits.rows * problem().vocab) * element;
  const std::span<std::byte> all = gathered_.of_size(all_bytes);
  tp().all_gather(contiguous(logits), all, bytes);

  const std::byte* shard = all.data();
  std::size_t begin = 0;
  for (const std::int64_t signed_width : widths_) {
    const auto width = static_cast<std::size_t>(signed_width);
    for (std::int64_t t = 0; t < logits.rows; ++t, shard += width * element) {
      if (width > 0) widen(logits.dtype, shard, z_.row(t).subspan(begin, width));
    }
    begin += width;
  }
}

/// This rank's valid columns without gaps; copied only if they have any.
std::span<const std::byte> GatherFullGrad::contiguous(const Rows& logits) {
  const std::size_t row_bytes = static_cast<std::size_t>(own().valid()) * size_of(logits.dtype);
  const std::size_t bytes = static_cast<std::size_t>(logits.rows) * row_bytes;
  if (bytes == 0) return {};
  if (logits.row_stride == own().valid()) return {logits.data, bytes};
  const std::span<std::byte> packed = packed_.of_size(bytes);
  for (std::int64_t t = 0; t < logits.rows; ++t) {
    std::memcpy(&packed[static_cast<std::size_t>(t) * row_bytes], logits.row(t), row_bytes);
  }
  return packed;
}

SoftmaxRow GatherFullGrad::softmax_of_row(std::int64_t t, std::int64_t label) {
  const std::span<float> z = z_.row(t), p = softmax_.row(t);
  SoftmaxRow row;
  row.max = maximum(z);
  centre(z, row.max);
  exponentials(z, p);
  row.sum = sum(p);
  row.weighted_sum = sum_of_products(p, z);
  if (label != no_label) row.target = z[static_cast<std::size_t>(label)];
  divide(p, row.sum);
  return row;
}

void GatherFullGrad::write_gradient(std::span<const GradientRow> rows,
                                    std::span<const std::int64_t> labels,
                                    const MutableRows& gradient) {
  gradient_.reshape(gradient.rows, problem().vocab);
  softmax_gradient(z_.rows(), softmax_.rows(), rows, labels, 0, gradient_.rows());
  const auto begin = static_cast<std::size_t>(own().begin);
  const auto width = static_cast<std::size_t>(own().valid());
  for (std::int64_t t = 0; t < gradient.rows; ++t) {
    narrow(gradient.dtype, gradient_.row(t).subspan(begin, width), gradient.row(t));
  }
}

}  // namespace vparity::harness::baselines
