// The coefficients of a row's gradient, from upstream gradients and saved statistics, and the
// gradient at its targets (semantics 3). Host and devices use the same definition.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "reproducible/elementary_functions.h"
#include "reproducible/host_device.h"
#include "row/sums.h"
#include "vparity/options.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// The saved statistics of one row.
struct SavedRow {
  float max;            ///< F
  float sum_minus_one;  ///< s - 1
  float entropy;        ///< H
  float valid_columns;  ///< n; only with label smoothing
};

/// The coefficients of one row's gradient, in double, so that they are rounded once.
struct RowGradient {
  enum class Kind : std::uint8_t {
    zero,    ///< +0 everywhere (rule 2)
    nan,     ///< NaN in every valid or masked column (rule 3)
    formula  ///< rules 4 and 5
  };
  Kind kind;
  float max;            ///< F
  float sum_minus_one;  ///< s - 1
  double a;             ///< A
  double b;             ///< B
  double d;             ///< D
};

/// The part of a row's gradient that belongs to one id: sum_k g_k [v = id_k] - (1 - eps) g_L [v =
/// label], with duplicate ids already added. `column` is local to the shard.
struct OneHot {
  std::int64_t row;
  std::int64_t column;
  double weight;
};

/// L = log s. If `reproducible`, by the logarithm of reproducible/elementary_functions.h.
VPARITY_HOST_DEVICE inline double log_sum(float sum_minus_one, bool reproducible) {
  const double rest = sum_minus_one;
  // In mode `reproducible` s is a multiple of 2^-40, to which 1 is added without rounding, or
  // large.
  return reproducible ? reproducible::log(1 + rest) : std::log1p(rest);
}

/// One row's upstream gradients, where those of ignored ids are 0 (rule 2). `Ids` has columns() and
/// ids(row, k).
template <class Ids>
class RowUpstream {
 public:
  /// With Reduction::mean the upstream gradient of the loss is divided by the global count of valid
  /// tokens.
  VPARITY_HOST_DEVICE RowUpstream(const Ids& ids, const UpstreamGradients& upstream,
                                  std::int64_t row, const Options& options,
                                  std::int64_t global_valid_tokens)
      : ids_(ids),
        upstream_(upstream),
        row_(row),
        ignore_index_(options.ignore_index),
        loss_(ignored(0) ? 0 : at(upstream.loss) / divisor(options, global_valid_tokens)) {}

  VPARITY_HOST_DEVICE bool ignored(int k) const { return ids_(row_, k) == ignore_index_; }
  VPARITY_HOST_DEVICE double logprob(int k) const {
    return ignored(k) ? 0 : at(upstream_.logprob, k);
  }
  VPARITY_HOST_DEVICE double entropy() const { return at(upstream_.entropy); }
  VPARITY_HOST_DEVICE double loss() const { return loss_; }

  VPARITY_HOST_DEVICE bool all_zero() const {
    if (counts(entropy()) || counts(loss())) return false;
    for (int k = 0; k < ids_.columns(); ++k)
      if (counts(logprob(k))) return false;
    return true;
  }

  /// Whether no earlier id column has the same id.
  VPARITY_HOST_DEVICE bool first_of_its_id(int k) const {
    for (int earlier = 0; earlier < k; ++earlier)
      if (ids_(row_, earlier) == ids_(row_, k)) return false;
    return true;
  }

  /// The part of the gradient that belongs to the id of column k: sum_j g_j [id_j = id_k] - (1 -
  /// eps) g_L [label = id_k].
  VPARITY_HOST_DEVICE double one_hot_weight(int k, float eps) const {
    double weight = 0;
    for (int j = 0; j < ids_.columns(); ++j)
      if (ids_(row_, j) == ids_(row_, k)) weight += logprob(j);
    if (ids_(row_, 0) == ids_(row_, k)) weight += -(1 - double{eps}) * loss();
    return weight;
  }

 private:
  VPARITY_HOST_DEVICE double at(const Replicated<const float>& view, int column = 0) const {
    return view.present() ? double{view(row_, column)} : 0;
  }
  VPARITY_HOST_DEVICE static double divisor(const Options& options, std::int64_t valid_tokens) {
    if (options.reduction == Reduction::sum || valid_tokens < 1) return 1;
    return static_cast<double>(valid_tokens);
  }
  /// A NaN counts.
  VPARITY_HOST_DEVICE static bool counts(double gradient) { return gradient != 0; }

  const Ids& ids_;
  const UpstreamGradients& upstream_;
  std::int64_t row_;
  std::int64_t ignore_index_;
  double loss_;
};

template <class Ids>
VPARITY_HOST_DEVICE RowGradient row_gradient(const RowUpstream<Ids>& upstream, int id_columns,
                                             const SavedRow& saved, const Options& options) {
  using Kind = RowGradient::Kind;
  const float rest = saved.sum_minus_one;
  if (upstream.all_zero()) return {Kind::zero, saved.max, rest, 0, 0, 0};
  if (std::isnan(rest)) return {Kind::nan, saved.max, rest, 0, 0, 0};
  const double log_s = log_sum(rest, options.mode == Mode::reproducible);
  const double lse = double{saved.max} / options.temperature + log_s;
  double a = -upstream.entropy() * saved.entropy + upstream.loss() * (1 + 2 * options.z_loss * lse);
  for (int k = 0; k < id_columns; ++k) a -= upstream.logprob(k);
  const double d = options.label_smoothing == 0
                       ? 0
                       : -double{options.label_smoothing} * upstream.loss() / saved.valid_columns;
  return {Kind::formula, saved.max, rest, a, -upstream.entropy(), d};
}

/// Three coefficients over tau, in fp32. They may lie beyond fp32's range where their products with
/// p do not. A power of two is then taken out of them, and multiplied back at the end.
struct ScaledCoefficients {
  float a, b, d;
  float scale[2];  ///< the power of two as two factors, as it may itself be beyond the range

  VPARITY_HOST_DEVICE bool scaled() const { return scale[0] != 1 || scale[1] != 1; }
  /// Finite, without a factor and without smoothing.
  VPARITY_HOST_DEVICE bool plain() const {
    return !scaled() && std::isfinite(a) && std::isfinite(b) && d == 0;
  }
};

namespace detail {

/// 0 if the largest coefficient and its products are well inside fp32's range. Beyond +-252 all
/// products overflow or vanish.
VPARITY_HOST_DEVICE inline int exponent_to_take_out(double largest) {
  if (!std::isfinite(largest) || (largest >= 0x1p-60 && largest <= 0x1p60)) return 0;
  if (largest == 0) return 0;
  const int exponent = std::ilogb(largest);
  return exponent < -252 ? -252 : exponent > 252 ? 252 : exponent;
}

VPARITY_HOST_DEVICE inline ScaledCoefficients over_temperature(double a, double b, double d,
                                                               double tau) {
  const double largest = std::fmax(std::fmax(std::fabs(a), std::fabs(b)), std::fabs(d));
  const int exponent = exponent_to_take_out(largest / tau);
  const auto scaled = [&](double value) {
    return static_cast<float>(std::ldexp(value / tau, -exponent));
  };
  const int half = exponent / 2;
  return {
      scaled(a), scaled(b), scaled(d), {std::ldexp(1.0F, half), std::ldexp(1.0F, exponent - half)}};
}

VPARITY_HOST_DEVICE inline double exp_of(double x, bool reproducible) {
  if (!reproducible) return std::exp(x);
  return x < -700 ? 0 : reproducible::exp(x);
}

VPARITY_HOST_DEVICE inline double expm1_of(double x, bool reproducible) {
  return reproducible ? reproducible::expm1(x) : std::expm1(x);
}

/// f'(x); 1 - tanh^2 = 1 / cosh^2.
VPARITY_HOST_DEVICE inline double slope(const Transform& transform, float x) {
  if (transform.softcap == 0) return 1;
  if (transform.reproducible) return reproducible::softcap(x, transform.softcap).slope;
  const double cosh = std::cosh(double{x} / transform.softcap);
  return 1 / (cosh * cosh);
}

/// grad_y at a valid column.
VPARITY_HOST_DEVICE inline double logit_gradient(const RowGradient& row, double log_p,
                                                 double weight, bool reproducible) {
  const double p = exp_of(log_p, reproducible);
  if (p == 0) return weight + row.d;
  const double entropy_part = p * row.b * log_p;
  // p A + weight: for a confident target both have nearly the same size and opposite signs.
  // p A = A + (p - 1) A keeps the difference.
  const double logprob_part =
      p < 0.5 ? p * row.a + weight : (row.a + weight) + expm1_of(log_p, reproducible) * row.a;
  return logprob_part + entropy_part + row.d;
}

}  // namespace detail

/// The coefficients a, b and D of p_v (A + B log p_v) + D written as e^z_v (a + b z_v) + D:
/// a = (A - B L) / s, b = B / s. No new cancellation: |A - B L| and |z_v| are at most what the
/// bound has for |A| and |log p_v|. If `reproducible`, L is by the logarithm of
/// elementary_functions.h.
VPARITY_HOST_DEVICE inline ScaledCoefficients exponential_coefficients(const RowGradient& row,
                                                                       float temperature,
                                                                       bool reproducible) {
  const double s = 1 + double{row.sum_minus_one};
  const double a = (row.a - row.b * log_sum(row.sum_minus_one, reproducible)) / s;
  return detail::over_temperature(a, row.b / s, row.d, temperature);
}

/// grad_x at a column with stored logit `x`, f(x) = `f` and one-hot part `weight`, by rules 4
/// and 5. In double: here p and weight of a confident row cancel, and fp32 would lose the
/// difference.
VPARITY_HOST_DEVICE inline double one_hot_gradient(const RowGradient& row,
                                                   const Transform& transform, float x, float f,
                                                   double weight) {
  const bool masked = x == -std::numeric_limits<float>::infinity();
  const double z = (static_cast<double>(f) - row.max) / transform.temperature;
  const double log_p = z - log_sum(row.sum_minus_one, transform.reproducible);
  const double grad_y =
      masked ? weight : detail::logit_gradient(row, log_p, weight, transform.reproducible);
  return grad_y * detail::slope(transform, x) / transform.temperature;
}

}  // namespace vparity
