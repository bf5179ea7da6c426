#include "reports/statistics/best_split.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reports/statistics/energy_scan.h"
#include "reports/statistics/shuffle.h"

namespace vparity::reports {
namespace {

/// Where a bound stands for the p-value, random orders would have found nothing in 99 of 100.
constexpr double certain = 1e-6;
/// The same sums in another order round otherwise.
constexpr double nearly = 1 - 1e-9;

/// Nights that something disturbed lie so far off that they would be all that distances tell of.
/// What lies more than three interquartile ranges outside the quartiles ("far out": J. W. Tukey,
/// "Exploratory Data Analysis", 1977) counts as lying just there. That depends on what values there
/// are and not on their order, so that p is exact as before.
std::vector<double> without_far_out(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t quarter = sorted.size() / 4;
  const double low = sorted[quarter], high = sorted[sorted.size() - 1 - quarter];
  std::vector<double> result(values.begin(), values.end());
  if (high == low) return result;
  constexpr double far = 3;
  for (double& value : result)
    value = std::clamp(value, low - far * (high - low), high + far * (high - low));
  return result;
}

double permutation_p(EnergyScan& scan, double statistic, double level) {
  const auto orders = static_cast<std::uint32_t>(std::ceil(1 / level)) - 1;
  std::vector<std::uint32_t> order;
  for (std::uint32_t k = 1; k <= orders; ++k) {
    shuffle(scan.order_given(), k, order);
    if (scan.best(order).statistic >= statistic * nearly) return 1.0 / k;
  }
  return 1.0 / (orders + 1);
}

}  // namespace

// Of one split: by Serfling's inequality (Ann. Statist. 2 (1974)) for draws without replacement,
// w(x) = mn / N * (F(x) - G(x))^2 of the sides' distribution functions has P(w > t) <= 2 e^(-2ct),
// c = n / (n + 1) of the larger side, hence E e^(sw) <= (2c + s) / (2c - s) for s < 2c. The energy
// statistic is at most twice the integral of w (it is that if pairs of an element with itself count
// among the means), and by Jensen's inequality that over the range, divided by it, has no larger
// E e^(s.) than w. Markov's inequality, with the best s = 2c * share.
double split_bound(double statistic, std::size_t values, std::size_t splits) {
  const auto n = static_cast<double>(values);
  const double exponent = n / (n + 2) * statistic;
  if (exponent <= 2) return 1;
  const double share = std::sqrt(1 - 2 / exponent);
  const double one = std::exp(-share * exponent) * (1 + share) / (1 - share);
  return std::min(1.0, static_cast<double>(splits) * one);
}

std::size_t fewest_values(double level) {
  std::size_t values = 1;
  double orders = 1;  // C(values, values / 2)
  while (2 / orders > level) {
    ++values;
    const auto larger_side = static_cast<double>((values + 1) / 2);
    orders *= static_cast<double>(values) / larger_side;
  }
  return values;
}

std::optional<BestSplit> best_split(std::span<const double> values, std::size_t fewest,
                                    double level) {
  if (values.size() < std::max(2 * fewest, fewest_values(level))) return {};
  EnergyScan scan(without_far_out(values), fewest);
  const auto best = scan.best(scan.order_given());
  const double bound = split_bound(best.statistic, values.size(), scan.splits());
  if (bound <= std::min(certain, level)) return BestSplit{best.at, bound};
  return BestSplit{best.at, permutation_p(scan, best.statistic, level)};
}

}  // namespace vparity::reports
