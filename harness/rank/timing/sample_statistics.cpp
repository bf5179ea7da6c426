#include "harness/rank/timing/sample_statistics.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace vparity::harness {
namespace {

constexpr double tail = 0.025;  // on each side

/// Robust against the one iteration in which the machine did something else: half of the distance
/// between the quartiles, as a share of the standard deviation of a normal distribution.
double spread_of(const std::vector<double>& sorted) {
  constexpr double quartile_of_normal = 0.6745;
  const double quartiles = sorted_quantile(sorted, 0.75) - sorted_quantile(sorted, 0.25);
  return quartiles / 2 / quartile_of_normal;
}

}  // namespace

double sorted_quantile(std::span<const double> sorted, double share) {
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

Interval median_interval(std::span<const double> sorted) {
  // The number of values below the median is binomial; fewer than `below` are so in at most 2.5 %.
  const boost::math::binomial_distribution<> values_below(static_cast<double>(sorted.size()), 0.5);
  std::size_t below = 0;
  while (2 * (below + 1) <= sorted.size() && cdf(values_below, static_cast<double>(below)) <= tail)
    ++below;
  if (below == 0) return {sorted.front(), sorted.back()};
  return {sorted[below - 1], sorted[sorted.size() - below]};
}

std::size_t samples_needed(std::vector<double> samples, double half_width) {
  std::ranges::sort(samples);
  // Asymptotically a median's deviation is sqrt(pi / 2) that of a mean of as many.
  constexpr double two_sided_95 = 1.96, median_over_mean = 1.2533;
  const double relative = spread_of(samples) / sorted_quantile(samples, 0.5);
  const double needed = std::pow(two_sided_95 * median_over_mean * relative / half_width, 2);
  constexpr double most = 1e6;
  return std::max(samples.size(), static_cast<std::size_t>(std::ceil(std::min(needed, most))));
}

}  // namespace vparity::harness
