#include "reports/statistics/best_split.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>

#include "reports/statistics/energy_scan.h"

namespace vparity::reports {
namespace {

/// Equal sums that were added in different orders may differ by rounding errors.
constexpr double nearly = 1 - 1e-9;

/// Outliers would dominate all distances. A value more than three interquartile ranges outside the
/// quartiles ("far out": J. W. Tukey, "Exploratory Data Analysis", 1977) is moved to that limit.
/// The result depends on the values and not on their order, so the permutation test stays exact.
std::vector<double> without_outliers(std::span<const double> values) {
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

/// A place from 0 to `last`.
std::size_t place(std::uint32_t random, std::size_t last) {
  return static_cast<std::size_t>((std::uint64_t{random} * (last + 1)) >> 32U);
}

}  // namespace

std::optional<BestSplit> best_split(std::span<const double> values, std::size_t fewest,
                                    double level) {
  if (values.size() < std::max(2 * fewest, fewest_values(level))) return {};
  EnergyScan scan(without_outliers(values), fewest);
  const auto best = scan.best(scan.order_given());
  return BestSplit{best.at, permutation_p(scan, best.statistic, level)};
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

// The inside-out variant of Fisher and Yates's shuffle.
void shuffle(std::span<const std::uint32_t> given, std::uint32_t number,
             std::vector<std::uint32_t>& shuffled) {
  using Generator = r123::Philox4x32;
  constexpr std::uint32_t seed = 20140507;  // arbitrary
  shuffled.resize(given.size());
  Generator::ctr_type words{};
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i % words.size() == 0)
      words = Generator{}({static_cast<std::uint32_t>(i), number, 0, 0}, {seed, 0});
    const std::size_t other = place(words[i % words.size()], i);
    shuffled[i] = shuffled[other];
    shuffled[other] = given[i];
  }
}

}  // namespace vparity::reports
