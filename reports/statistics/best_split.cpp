#include "reports/statistics/best_split.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "reports/statistics/energy_scan.h"
#include "reports/statistics/shuffle.h"
#include "reports/statistics/split_bound.h"

namespace vparity::reports {
namespace {

/// Orders drawn before it is asked whether a bound will do: without a change, one of them is mostly
/// as split.
constexpr std::uint32_t first_orders = 20;
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

/// Where a bound stands for the p-value it is so far below `level` that random orders would hardly
/// have said otherwise.
double p_of(std::span<const double> values, std::size_t fewest, double statistic, double level,
            EnergyScan& scan) {
  const auto orders = static_cast<std::uint32_t>(std::ceil(1 / level)) - 1;
  std::vector<std::uint32_t> order;
  for (std::uint32_t k = 1; k <= orders; ++k) {
    shuffle(scan.order_given(), k, order);
    if (scan.best(order).statistic >= statistic * nearly) return 1.0 / k;
    if (k != first_orders) continue;
    const auto [lowest, highest] = std::ranges::minmax(values);
    const double bound = split_bound(values, fewest, statistic * (highest - lowest));
    if (bound <= level / 10) return bound;
  }
  return 1.0 / (orders + 1);
}

}  // namespace

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
  const auto nearer = without_far_out(values);
  EnergyScan scan(nearer, fewest);
  const auto best = scan.best(scan.order_given());
  return BestSplit{best.at, p_of(nearer, fewest, best.statistic, level, scan)};
}

}  // namespace vparity::reports
