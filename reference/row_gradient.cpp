#include <algorithm>
#include <cmath>

#include "reference/row_statistics.h"
#include "reference/row_terms.h"

namespace vparity::reference {
namespace {

bool all_zero(const Upstream& upstream) {
  return std::ranges::all_of(upstream.logprob, [](double g) { return g == 0; }) &&
         upstream.entropy == 0 && upstream.loss == 0;
}

/// The part of the gradient that belongs to a column by its index.
struct OneHot {
  double value = 0;      ///< sum_k g_k [v = id_k] - (1 - eps) g_L [v = label]
  double magnitude = 0;  ///< a_v of semantics 7
};

OneHot one_hot(const RowGradient& row, std::int64_t v) {
  OneHot hot;
  const auto add = [&hot](double g) {
    hot.value += g;
    hot.magnitude += std::abs(g);
  };
  const std::vector<std::int64_t>& ids = row.row.ids;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (ids[k] == v) add(row.upstream.logprob[k]);
  }
  if (!ids.empty() && ids.front() == v)
    add(-(1 - row.parameters.label_smoothing) * row.upstream.loss);
  return hot;
}

/// p_v (A + B log p_v) + sum_k g_k [v = id_k] - (1 - eps) g_L [v = label] (semantics 3). For a
/// confident target A and the one-hot part nearly cancel, so p_v is written as 1 + expm1(log p_v).
double softmax_and_one_hot(const RowGradient& row, const OneHot& hot, double log_p, double p) {
  if (p == 0) return hot.value;  // also if the upstream is infinite
  const double factor = row.a + row.b * log_p;
  if (hot.value == 0 || p <= 0.5) return p * factor + hot.value;
  return (row.a + hot.value) + row.b * log_p + std::expm1(log_p) * factor;
}

/// grad_x and r (semantics 3 and 7): everything is divided by tau.
Bounded over_temperature(const RowGradient& row, double grad_y, double slope, double e_y,
                         double G) {
  const double tau = row.parameters.temperature;
  const double e = slope * e_y + (is_scaled(row.parameters) ? 4 * std::abs(grad_y) : 0);
  return {grad_y * slope / tau, (bound_factor * unit_roundoff * e + 0x1p-125 * (1 + G)) / tau};
}

/// Rule 4: no p and no D.
Bounded masked_gradient(const RowGradient& row, const OneHot& hot) {
  if (hot.magnitude == 0) return {0, 0};
  const double K = static_cast<double>(row.row.ids.size());
  const double slope = transform(-infinity, row.parameters).slope;
  return over_temperature(row, hot.value, slope, (K + 1) * hot.magnitude, row.weight);
}

/// Rule 5.
Bounded valid_gradient(const RowGradient& row, const OneHot& hot, double x) {
  const RowStatistics& statistics = row.row;
  const auto [f, slope] = transform(x, row.parameters);
  const auto [log_p, e_lp] = logprob(f, statistics, row.parameters);
  const double p = std::exp(log_p);
  const double grad_y = softmax_and_one_hot(row, hot, log_p, p) + row.d;

  const double K = static_cast<double>(statistics.ids.size());
  const double g_H = std::abs(row.upstream.entropy);
  const double g_L = std::abs(row.upstream.loss);
  const double G = row.weight + g_H * std::abs(log_p);
  const double e_factor = G * (K + e_lp) + g_H * (statistics.e_entropy + e_lp) +
                          2 * row.parameters.z_loss * g_L * statistics.e_lse;
  const double e_y = (p > 0 ? p * e_factor : 0) + 4 * std::abs(row.d) + (K + 1) * hot.magnitude;
  return over_temperature(row, grad_y, slope, e_y, G);
}

Bounded by_value(const RowGradient& row, const OneHot& hot, float x) {
  return x == -infinity ? masked_gradient(row, hot) : valid_gradient(row, hot, x);
}

/// Rules 2 and 3: the same in every column.
bool is_uniform(const RowGradient& row) { return row.all_zero || row.row.kind != RowKind::finite; }
Bounded uniform_gradient(const RowGradient& row) { return {row.all_zero ? 0 : nan, 0}; }

}  // namespace

RowGradient row_gradient(const RowStatistics& row, const Upstream& upstream,
                         const Parameters& parameters) {
  RowGradient result{.row = row, .parameters = parameters, .upstream = upstream};
  Upstream& g = result.upstream;
  g.logprob.resize(row.ids.size());
  for (std::size_t k = 0; k < row.ids.size(); ++k) {
    if (row.ids[k] == parameters.ignore_index) g.logprob[k] = 0;
  }
  if (!row.valid) g.loss = 0;
  result.all_zero = all_zero(g);
  if (is_uniform(result)) return result;

  const double H = row.entropy.value;
  const double lse = row.lse.value;
  const double lambda = parameters.z_loss;
  for (const double g_k : g.logprob) {
    result.a -= g_k;
    result.weight += std::abs(g_k);
  }
  result.a += -g.entropy * H + g.loss * (1 + 2 * lambda * lse);
  result.weight += std::abs(g.entropy) * H + std::abs(g.loss) * (1 + 2 * lambda * std::abs(lse));
  result.b = -g.entropy;
  if (parameters.label_smoothing != 0)  // else there is no such term, for an infinite g_L neither
    result.d = -parameters.label_smoothing * g.loss / static_cast<double>(row.valid_columns);
  return result;
}

Bounded gradient(const RowGradient& row, std::int64_t v, float x) {
  return is_uniform(row) ? uniform_gradient(row) : by_value(row, one_hot(row, v), x);
}

void gradient(const RowGradient& row, std::int64_t begin, std::span<const float> logits,
              std::span<Bounded> out) {
  if (is_uniform(row)) {
    std::ranges::fill(out, uniform_gradient(row));
    return;
  }
  std::ranges::transform(logits, out.begin(),
                         [&row](float x) { return by_value(row, OneHot{}, x); });
  for (const std::int64_t id : row.row.ids) {
    const std::int64_t i = id - begin;
    if (i < 0 || i >= static_cast<std::int64_t>(logits.size())) continue;
    const auto column = static_cast<std::size_t>(i);
    out[column] = by_value(row, one_hot(row, id), logits[column]);
  }
}

}  // namespace vparity::reference
