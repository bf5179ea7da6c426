#include "harness/rank/element_comparison/naive_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vparity::harness {
namespace {

constexpr float masked = -std::numeric_limits<float>::infinity();

double one_hot(const reference::RowGradient& row, std::int64_t v) {
  double sum = 0;
  for (std::size_t k = 0; k < row.row.ids.size(); ++k) {
    if (row.row.ids[k] == v) sum += row.upstream.logprob[k];
  }
  const bool label = row.row.valid && row.row.ids.front() == v;
  return label ? sum - (1 - row.parameters.label_smoothing) * row.upstream.loss : sum;
}

}  // namespace

double NaiveKernel::rounded(double value) const {
  if (format_ == reference::Format::fp32) return static_cast<float>(value);
  return reference::round_to(format_, value);
}

NaiveKernel::Transformed NaiveKernel::transformed(float x) const {
  if (!parameters_.softcap) return {rounded(x / parameters_.temperature), 1};
  const double c = *parameters_.softcap;
  const double t = rounded(std::tanh(rounded(x / c)));
  return {rounded(rounded(c * t) / parameters_.temperature), rounded(1 - rounded(t * t))};
}

double NaiveKernel::exponential(float x, double max) const {
  return rounded(std::exp(rounded(transformed(x).y - max)));
}

NaiveRow NaiveKernel::forward(std::span<const float> logits,
                              const reference::RowStatistics& row) const {
  NaiveRow naive;
  naive.logprob.resize(row.ids.size());
  if (row.kind != reference::RowKind::finite) return naive;

  naive.max = transformed(*std::ranges::max_element(logits)).y;
  std::vector<double> exponentials;
  exponentials.reserve(logits.size());
  for (const float x : logits) {
    if (x == masked) continue;
    exponentials.push_back(exponential(x, naive.max));
    naive.sum = rounded(naive.sum + exponentials.back());
  }
  double log_p_sum = 0;
  for (const double e : exponentials) {
    const double p = rounded(e / naive.sum);
    const double log_p = rounded(std::log(p));
    log_p_sum = rounded(log_p_sum + log_p);
    if (p > 0) naive.entropy = rounded(naive.entropy - rounded(p * log_p));
  }
  naive.lse = rounded(naive.max + rounded(std::log(naive.sum)));
  for (std::size_t k = 0; k < row.ids.size(); ++k) {
    if (row.ids[k] == parameters_.ignore_index) continue;
    const float target = logits[static_cast<std::size_t>(row.ids[k])];
    naive.logprob[k] = rounded(std::log(rounded(exponential(target, naive.max) / naive.sum)));
  }
  if (row.valid)
    naive.loss = loss(naive, rounded(log_p_sum / static_cast<double>(row.valid_columns)));
  return naive;
}

double NaiveKernel::loss(const NaiveRow& row, double mean_log_p) const {
  const double eps = parameters_.label_smoothing;
  const double smoothing = eps == 0 ? 0 : rounded(eps * mean_log_p);
  const double z_loss = rounded(parameters_.z_loss * rounded(row.lse * row.lse));
  return rounded(z_loss - rounded(rounded((1 - eps) * row.logprob.front()) + smoothing));
}

NaiveKernel::Coefficients NaiveKernel::coefficients(const NaiveRow& row,
                                                    const reference::RowGradient& upstream) const {
  const auto& g = upstream.upstream;
  const double of_logprob = std::accumulate(g.logprob.begin(), g.logprob.end(), 0.0);
  const double of_loss = rounded(g.loss * rounded(1 + 2 * parameters_.z_loss * row.lse));
  const double of_entropy = rounded(g.entropy * row.entropy);
  return {rounded(of_loss - of_entropy - of_logprob), -g.entropy, rounded(upstream.d)};
}

double NaiveKernel::gradient(const NaiveRow& row, const Coefficients& of, float x,
                             double one_hot) const {
  if (x == masked) return parameters_.softcap ? 0 : rounded(one_hot / parameters_.temperature);
  const double p = rounded(exponential(x, row.max) / row.sum);
  const double log_p = rounded(std::log(p));
  const double softmax = p > 0 ? rounded(p * rounded(of.a + rounded(of.b * log_p))) : 0;
  const double grad_y = rounded(rounded(softmax + of.d) + one_hot);
  return rounded(rounded(grad_y * transformed(x).slope) / parameters_.temperature);
}

void NaiveKernel::backward(const NaiveRow& row, const reference::RowGradient& upstream,
                           std::int64_t begin, std::span<const float> logits,
                           std::span<double> out) const {
  const Coefficients of = coefficients(row, upstream);
  std::ranges::transform(logits, out.begin(), [&](float x) { return gradient(row, of, x, 0); });
  for (const std::int64_t id : upstream.row.ids) {
    const std::int64_t i = id - begin;
    if (i < 0 || i >= std::ssize(logits)) continue;
    const auto column = static_cast<std::size_t>(i);
    out[column] = gradient(row, of, logits[column], one_hot(upstream, id));
  }
}

}  // namespace vparity::harness
