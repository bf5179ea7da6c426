#include "forward/row_statistics.h"

#include <cmath>
#include <limits>

#include "reproducible/elementary_functions.h"

namespace vparity {
namespace {

double log_of(const FullRowSums& sums, Mode mode) {
  if (std::isnan(sums.max)) return std::numeric_limits<double>::quiet_NaN();
  if (sums.s == 0) return -std::numeric_limits<double>::infinity();
  return mode == Mode::reproducible ? reproducible::log(sums.s) : std::log(sums.s);
}

}  // namespace

RowStatistics::RowStatistics(const FullRowSums& sums, const Options& options)
    : sums_(sums), options_(options), log_sum_(log_of(sums, options.mode)) {}

bool RowStatistics::degenerate() const {
  return sums_.max == -std::numeric_limits<float>::infinity();
}

double RowStatistics::entropy() const { return log_sum_ - sums_.u / sums_.s; }

double RowStatistics::lse() const { return double{sums_.max} / options_.temperature + log_sum_; }

double RowStatistics::logprob(float target) const {
  return (double{target} - sums_.max) / options_.temperature - log_sum_;
}

double RowStatistics::loss(float target) const {
  const double eps = options_.label_smoothing;
  const double z_loss = options_.z_loss * lse() * lse();
  return -(1 - eps) * logprob(target) + smoothing_term() + z_loss;
}

double RowStatistics::smoothing_term() const {
  if (options_.label_smoothing == 0) return 0;  // `a` and `n` are not exchanged then
  return options_.label_smoothing * (log_sum_ - sums_.a / static_cast<double>(sums_.n));
}

}  // namespace vparity
