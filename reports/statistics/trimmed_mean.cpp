#include "reports/statistics/trimmed_mean.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vparity::reports {
namespace {

constexpr std::size_t trimmed_share = 10;  // one value in ten is dropped at each end

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sum_of_squared_deviations(std::span<const double> values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
}

}  // namespace

MeanEstimate trimmed_mean(std::span<const double> values) {
  std::vector<double> ordered(values.begin(), values.end());
  std::ranges::sort(ordered);
  const std::size_t cut = ordered.size() / trimmed_share;
  const std::size_t kept = ordered.size() - 2 * cut;
  const double centre = mean(std::span(ordered).subspan(cut, kept));
  // Winsorise: each dropped value is replaced by the outermost value that was kept.
  std::fill_n(ordered.begin(), cut, ordered[cut]);
  std::fill_n(ordered.rbegin(), cut, ordered[cut + kept - 1]);
  const auto k = static_cast<double>(kept);
  // The mean of equal values may be off by a rounding error, and their deviations with it.
  const double deviations =
      ordered.front() == ordered.back() ? 0 : sum_of_squared_deviations(ordered);
  return {.mean = deviations == 0 ? ordered.front() : centre,
          .standard_error = std::sqrt(deviations / (k * (k - 1))),
          .degrees_of_freedom = k - 1};
}

}  // namespace vparity::reports
