// The outputs of one row from its merged sums (semantics 2 and 5).
#pragma once

#include <cmath>
#include <limits>

#include "reproducible/elementary_functions.h"
#include "reproducible/host_device.h"
#include "row/sums.h"
#include "vparity/options.h"

namespace vparity {

/// In double, so that each output is rounded once. `logprob`, `entropy` and the smoothing term are
/// formed from F and L, never from `lse`, which loses the fraction at a large common offset. NaN
/// rows and rows without a valid column give NaN by the same formulas; the latter have lse -inf.
class RowStatistics {
 public:
  VPARITY_HOST_DEVICE RowStatistics(const FullRowSums& sums, const Options& options)
      : sums_(sums), options_(options), log_sum_(log_of(sums, options.mode)) {}

  /// No valid column.
  VPARITY_HOST_DEVICE bool degenerate() const {
    return sums_.max == -std::numeric_limits<float>::infinity();
  }

  VPARITY_HOST_DEVICE double log_sum() const { return log_sum_; }
  VPARITY_HOST_DEVICE double entropy() const { return log_sum_ - sums_.u / sums_.s; }
  VPARITY_HOST_DEVICE double lse() const {
    return double{sums_.max} / options_.temperature + log_sum_;
  }

  /// For an id that is not ignored; `target` = f(x_id).
  VPARITY_HOST_DEVICE double logprob(float target) const {
    return (double{target} - sums_.max) / options_.temperature - log_sum_;
  }
  VPARITY_HOST_DEVICE double loss(float target) const {
    const double eps = options_.label_smoothing;
    const double z_loss = options_.z_loss * lse() * lse();
    return -(1 - eps) * logprob(target) + smoothing_term() + z_loss;
  }

 private:
  VPARITY_HOST_DEVICE static double log_of(const FullRowSums& sums, Mode mode) {
    if (std::isnan(sums.max)) return std::numeric_limits<double>::quiet_NaN();
    if (sums.s == 0) return -std::numeric_limits<double>::infinity();
    return mode == Mode::reproducible ? reproducible::log(sums.s) : std::log(sums.s);
  }

  VPARITY_HOST_DEVICE double smoothing_term() const {
    if (options_.label_smoothing == 0) return 0;  // `a` and `n` are not exchanged then
    return options_.label_smoothing * (log_sum_ - sums_.a / static_cast<double>(sums_.n));
  }

  const FullRowSums& sums_;
  const Options& options_;
  double log_sum_;
};

/// An output rounded to fp32, with one NaN and one zero (semantics 6).
VPARITY_HOST_DEVICE inline float rounded_output(double value) {
  if (std::isnan(value)) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(value) + 0.0F;
}

/// s - 1 as it is saved for the backward. The gradient of NaN rows and of rows without a valid
/// column is NaN (semantics 3, rule 3).
VPARITY_HOST_DEVICE inline float saved_sum_minus_one(const FullRowSums& sums) {
  return std::isfinite(sums.max) ? static_cast<float>(sums.s - 1)
                                 : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace vparity
