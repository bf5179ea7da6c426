#include "harness/provider/baselines/framework_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "harness/provider/baselines/row_ops.h"

namespace vparity::harness::baselines {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float log_sum(const SoftmaxRow& row) { return std::log(row.sum); }

float entropy(const SoftmaxRow& row) { return log_sum(row) - row.weighted_sum / row.sum; }

/// Of a row without a valid column -inf, as logsumexp has it, where the sum is NaN.
float lse(const SoftmaxRow& row, float temperature) {
  return row.max == -infinity ? row.max : row.max / temperature + log_sum(row);
}

float upstream_of(const Replicated<const float>& view, std::size_t t) {
  return view.present() ? view(static_cast<std::int64_t>(t)) : 0;
}

void put(const Replicated<float>& view, std::int64_t t, float value) {
  if (view.present()) view(t) = value;
}

/// Collective over `dp`: one all-gather, whatever became of the ranks' rows.
GlobalResults reduce(Communicator& dp, const BadId& bad, const RankTotals& totals,
                     std::int64_t vocab) {
  struct Report {
    BadId bad;
    RankTotals totals;
  };
  std::vector<BadId> bad_ids;
  std::vector<RankTotals> all_totals;
  for (const Report& report : all_gather_values(dp, Report{bad, totals})) {
    bad_ids.push_back(report.bad);
    all_totals.push_back(report.totals);
  }
  refuse_bad_ids(bad_ids, vocab);
  return job_results(all_totals);
}

}  // namespace

GlobalResults FrameworkKernels::forward(const VocabShard& logits, const TokenIds& ids,
                                        const StatisticsViews& out) {
  const auto labels = labels_of(ids);
  const BadId bad = first_bad_id(ids, problem_.vocab, problem_.options.ignore_index);
  RankTotals totals;
  rows_.assign(labels.size(), {});
  // Labels are the same on every TP rank, so all ranks of the group skip its collectives alike.
  if (!bad.found()) {
    statistics(logits, labels, rows_);
    totals = write_statistics(labels, out);
  }
  const GlobalResults results = reduce(groups_.dp, bad, totals, problem_.vocab);
  global_valid_tokens_ = results.valid_tokens;
  return results;
}

void FrameworkKernels::backward(const VocabShard& logits, const TokenIds& ids,
                                const UpstreamGradients& upstream,
                                const MutableVocabShard& gradient) {
  if (own_.width == 0) return;  // there may be no memory
  const auto labels = labels_of(ids);
  std::vector<GradientRow> rows;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    rows.push_back(gradient_row(t, labels[t] != no_label, upstream));
  }
  const MutableRows& to = gradient.rows();
  write_gradient(rows, labels, to);
  const auto valid = static_cast<std::size_t>(own_.valid());
  const auto padding = static_cast<std::size_t>(own_.width) - valid;
  for (std::int64_t t = 0; t < logits.rows().rows; ++t) {
    std::memset(to.row(t) + valid * size_of(to.dtype), 0, padding * size_of(to.dtype));
  }
}

std::vector<std::int64_t> FrameworkKernels::labels_of(const TokenIds& ids) const {
  std::vector<std::int64_t> labels;
  for (std::int64_t t = 0; t < ids.rows(); ++t) {
    const std::int64_t id = ids(t, 0);
    labels.push_back(id == problem_.options.ignore_index ? no_label : id);
  }
  return labels;
}

RankTotals FrameworkKernels::write_statistics(std::span<const std::int64_t> labels,
                                              const StatisticsViews& out) const {
  RankTotals sums;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const SoftmaxRow& row = rows_[i];
    const bool valid = labels[i] != no_label;
    const float loss = valid ? log_sum(row) - row.target : 0;
    const auto t = static_cast<std::int64_t>(i);
    put(out.logprob, t, valid ? row.target - log_sum(row) : 0);
    put(out.entropy, t, entropy(row));
    put(out.lse, t, lse(row, problem_.options.temperature));
    put(out.loss, t, loss);
    if (!valid) continue;
    sums.loss += loss;
    sums.entropy += entropy(row);
    ++sums.valid_tokens;
    if (row.max == -infinity) ++sums.degenerate_rows;
  }
  return sums;
}

GradientRow FrameworkKernels::gradient_row(std::size_t t, bool labelled,
                                           const UpstreamGradients& upstream) const {
  const float of_logprob = labelled ? upstream_of(upstream.logprob, t) : 0;
  const float of_entropy = upstream_of(upstream.entropy, t);
  float of_loss = labelled ? upstream_of(upstream.loss, t) : 0;
  if (problem_.options.reduction == Reduction::mean) {
    of_loss /= static_cast<float>(std::max<std::int64_t>(global_valid_tokens_, 1));
  }
  const bool used = of_logprob != 0 || of_entropy != 0 || of_loss != 0;
  if (!used) return {};
  const float of_label = of_logprob - of_loss;
  const float tau = problem_.options.temperature;
  // Without its gradient, the entropy's value is left out: it may be NaN or infinite on its own.
  const float through_entropy = of_entropy == 0 ? 0 : of_entropy * entropy(rows_[t]);
  return {.used = true,
          .log_sum = log_sum(rows_[t]),
          .softmax = (-of_label - through_entropy) / tau,
          .log_softmax = -of_entropy / tau,
          .label = of_label / tau};
}

void FrameworkKernels::centre(std::span<float> logits, float max) const {
  subtract(logits, max);
  if (problem_.options.temperature != 1) divide(logits, problem_.options.temperature);
}

void FrameworkKernels::softmax_gradient(const FloatRows& z, const FloatRows& p,
                                        std::span<const GradientRow> rows,
                                        std::span<const std::int64_t> labels, std::int64_t begin,
                                        const FloatRows& out) {
  const auto count = std::ssize(rows);
  for (std::int64_t t = 0; t < count; ++t) {
    const GradientRow& row = rows[static_cast<std::size_t>(t)];
    scaled(p.row(t), row.softmax, out.row(t));
  }
  add_entropy_gradient(z, p, rows, out);
  for (std::int64_t t = 0; t < count; ++t) {
    const auto i = static_cast<std::size_t>(t);
    if (!rows[i].used) std::ranges::fill(out.row(t), 0.0F);
    const std::int64_t column = labels[i] - begin;
    if (labels[i] == no_label || column < 0 || column >= out.columns) continue;
    out.row(t)[static_cast<std::size_t>(column)] += rows[i].label;
  }
}

void FrameworkKernels::add_entropy_gradient(const FloatRows& z, const FloatRows& p,
                                            std::span<const GradientRow> rows,
                                            const FloatRows& out) {
  const auto none = [](const GradientRow& row) { return row.log_softmax == 0; };
  if (std::ranges::all_of(rows, none)) return;
  const auto count = std::ssize(rows);
  log_softmax_.reshape(count, out.columns);
  for (std::int64_t t = 0; t < count; ++t) {
    finite_differences(z.row(t), rows[static_cast<std::size_t>(t)].log_sum, log_softmax_.row(t));
  }
  for (std::int64_t t = 0; t < count; ++t) multiply(log_softmax_.row(t), p.row(t));
  for (std::int64_t t = 0; t < count; ++t) {
    add_scaled(out.row(t), rows[static_cast<std::size_t>(t)].log_softmax, log_softmax_.row(t));
  }
}

}  // namespace vparity::harness::baselines
