// Terms of one column that the statistics and the gradient of a row share.
#pragma once

#include <cmath>
#include <limits>

#include "reference/row_statistics.h"

namespace vparity::reference {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double unit_roundoff = 0x1p-24;  ///< u of semantics 7, that of fp32

/// f(x) and f'(x) (semantics 1 and 3). A softcap makes infinities finite: masks are read before it.
struct Transformed {
  double f;
  double slope;
};
inline Transformed transform(double x, const Parameters& parameters) {
  if (!parameters.softcap) return {x, 1};
  const double scaled = x / *parameters.softcap;
  // 1 - tanh^2 would leave nothing of a slope below the rounding error of 1.
  const double sech = 1 / std::cosh(scaled);
  return {*parameters.softcap * std::tanh(scaled), sech * sech};
}

/// z_v = (f_v - F) / tau
inline double centred(double f, double F, const Parameters& parameters) {
  return (f - F) / parameters.temperature;
}

/// Z_v of semantics 7: the rounding error of z_v is proportional to it.
inline double reach(double f, double F, const Parameters& parameters) {
  const double Z = std::abs(centred(f, F, parameters));
  if (!parameters.softcap) return Z;
  return Z + (std::abs(f) + std::abs(F)) / parameters.temperature;
}

/// log p_v = z_v - L with e_lp(v) of semantics 7, for a row whose F, L and e_L are known.
struct LogProb {
  double value;
  double e;
};
inline LogProb logprob(double f, const RowStatistics& row, const Parameters& parameters) {
  const double log_p = centred(f, row.max, parameters) - row.log_sum;
  return {log_p, reach(f, row.max, parameters) + std::abs(log_p) + row.e_log_sum};
}

/// Whether f(x) / tau differs from x, and so adds roundings.
inline bool is_scaled(const Parameters& parameters) {
  return parameters.temperature != 1 || parameters.softcap.has_value();
}

}  // namespace vparity::reference
