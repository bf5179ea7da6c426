#include "reference/row_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "reference/neumaier_sum.h"
#include "reference/row_terms.h"

namespace vparity::reference {
namespace {

double square(double value) { return value * value; }

/// C u e of semantics 7. An infinity or NaN has bound 0.
Bounded with_bound(double value, double e) {
  return {value, std::isfinite(value) ? bound_factor * unit_roundoff * e : 0};
}

/// f(x_v), -inf where masked.
std::vector<double> transformed(std::span<const float> logits, const Parameters& parameters) {
  std::vector<double> f(logits.begin(), logits.end());
  if (!parameters.softcap) return f;
  for (double& x : f) {
    if (x != -infinity) x = transform(x, parameters).f;
  }
  return f;
}

/// NaN compares false with everything, so it counts as poisoned here.
bool is_poisoned(std::span<const float> logits) {
  return !std::ranges::all_of(logits, [](float x) { return x < infinity; });
}

/// A row's sums over its valid columns (semantics 2), and the means of semantics 7.
struct Sums {
  /// sum e^z - 1. With the maximum's own e^0 left out, L = log1p(s - 1) keeps its digits when all
  /// other terms are tiny.
  double s_minus_1;
  double s;       ///< sum e^z
  double u;       ///< sum e^z z
  double mean_z;  ///< a / n
  double E_z;     ///< E|z|
  double E_Z;     ///< E Z
  double E_zZ;    ///< E(|z| Z)
  double mean_Z;
};

Sums sums(std::span<const double> f, const RowStatistics& row, const Parameters& parameters) {
  NeumaierSum s_minus_1{-1}, u, a;
  double eZ = 0, ezZ = 0, Z_sum = 0;  // for bounds only, where plain sums are accurate enough
  for (const double f_v : f) {
    if (f_v == -infinity) continue;
    const double z = centred(f_v, row.max, parameters);
    const double Z = reach(f_v, row.max, parameters);
    const double e = std::exp(z);
    s_minus_1.add(e);
    u.add(e * z);
    a.add(z);
    eZ += e * Z;
    ezZ += e * std::abs(z) * Z;
    Z_sum += Z;
  }
  const double s = 1 + s_minus_1.total();
  const auto n = static_cast<double>(row.valid_columns);
  return {.s_minus_1 = s_minus_1.total(),
          .s = s,
          .u = u.total(),
          .mean_z = a.total() / n,
          .E_z = -u.total() / s,  // z <= 0
          .E_Z = eZ / s,
          .E_zZ = ezZ / s,
          .mean_Z = Z_sum / n};
}

/// L, H and lse (semantics 2) with e_L, e_H and e_lse (semantics 7).
void set_row_values(RowStatistics& row, const Sums& sum, const Parameters& parameters) {
  const double k = bound_terms(row.vocab);
  const double L = std::log1p(sum.s_minus_1);
  const double H = L - sum.u / sum.s;
  const double lse = row.max / parameters.temperature + L;

  // Half a unit of the grid for each column, in units of u.
  const double grid = parameters.sums_on_grid ? static_cast<double>(row.vocab) * 0x1p-17 : 0;

  row.log_sum = L;
  row.e_log_sum = std::abs(L) + k + sum.E_Z + grid;
  row.e_entropy = std::abs(L) + H + (k + 1) * (1 + 2 * sum.E_z) + 2 * sum.E_Z + sum.E_zZ +
                  sum.E_z * sum.E_Z + grid * (2 + sum.E_z);
  row.e_lse = std::abs(lse) + row.e_log_sum;
  if (is_scaled(parameters)) row.e_lse += 2 * std::abs(row.max) / parameters.temperature;
  row.entropy = with_bound(H, row.e_entropy);
  row.lse = with_bound(lse, row.e_lse);
}

/// loss = -(1 - eps) logprob_0 + eps (L - a / n) + lambda lse^2 (semantics 2)
Bounded loss(const LogProb& label, const RowStatistics& row, const Sums& sum,
             const Parameters& parameters) {
  const double k = bound_terms(row.vocab);
  const double eps = parameters.label_smoothing;
  const double lambda = parameters.z_loss;
  const double lse = row.lse.value;
  const double smoothing = row.log_sum - sum.mean_z;

  const double value = -(1 - eps) * label.value + eps * smoothing + lambda * square(lse);
  const double e = (1 - eps) * (label.e + 2 * std::abs(label.value)) +
                   eps * (row.e_log_sum + (k + 1) * std::abs(sum.mean_z) + sum.mean_Z +
                          2 * std::abs(smoothing)) +
                   lambda * (2 * std::abs(lse) * row.e_lse + 3 * square(lse)) + std::abs(value);
  return with_bound(value, e);
}

/// Semantics 5: an ignored id has logprob 0, and an ignored label loss 0.
void fill_finite(RowStatistics& row, std::span<const double> f, const Parameters& parameters) {
  row.max = *std::ranges::max_element(f);
  const Sums sum = sums(f, row, parameters);
  set_row_values(row, sum, parameters);
  for (std::size_t k = 0; k < row.ids.size(); ++k) {
    if (row.ids[k] == parameters.ignore_index) continue;
    row.target[k] = f[static_cast<std::size_t>(row.ids[k])];
    const LogProb target = logprob(row.target[k], row, parameters);
    row.logprob[k] = with_bound(target.value, target.e);
    if (k == 0) row.loss = loss(target, row, sum, parameters);
  }
}

/// Semantics 5: NaN everywhere, but lse is -inf where there is no valid column.
void fill_without_numbers(RowStatistics& row, const Parameters& parameters) {
  const bool degenerate = row.kind == RowKind::degenerate;
  row.max = degenerate ? -infinity : nan;
  row.log_sum = nan;
  row.entropy = {nan, 0};
  row.lse = {degenerate ? -infinity : nan, 0};
  for (std::size_t k = 0; k < row.ids.size(); ++k) {
    if (row.ids[k] != parameters.ignore_index) row.logprob[k] = {nan, 0};
  }
  if (row.valid) row.loss = {nan, 0};
}

void check_ids(std::span<const std::int64_t> ids, std::int64_t vocab,
               const Parameters& parameters) {
  for (const std::int64_t id : ids) {
    if (id != parameters.ignore_index && (id < 0 || id >= vocab))
      throw std::out_of_range("reference: id " + std::to_string(id) + " is outside [0, " +
                              std::to_string(vocab) + ")");
  }
}

}  // namespace

int bound_terms(std::int64_t vocab) {
  const auto columns = static_cast<std::uint64_t>(std::max<std::int64_t>(vocab, 1));
  return std::bit_width(columns - 1) + 6;  // ceil(log2 V) + 6
}

RowStatistics row_statistics(std::span<const float> logits, std::span<const std::int64_t> ids,
                             const Parameters& parameters) {
  RowStatistics row;
  row.vocab = static_cast<std::int64_t>(logits.size());
  check_ids(ids, row.vocab, parameters);
  row.ids.assign(ids.begin(), ids.end());
  row.target.assign(ids.size(), 0);
  row.logprob.assign(ids.size(), {});
  row.valid = !ids.empty() && ids.front() != parameters.ignore_index;
  row.valid_columns = row.vocab - std::ranges::count(logits, -infinity);

  if (is_poisoned(logits)) {
    row.kind = RowKind::poisoned;
  } else if (row.valid_columns == 0) {
    row.kind = RowKind::degenerate;
  }
  if (row.kind == RowKind::finite) {
    fill_finite(row, transformed(logits, parameters), parameters);
  } else {
    fill_without_numbers(row, parameters);
  }
  return row;
}

}  // namespace vparity::reference
