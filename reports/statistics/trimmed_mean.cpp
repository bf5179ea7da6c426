#include "reports/statistics/trimmed_mean.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vparity::reports {
namespace {

constexpr std::size_t one_in = 10;  // at each end

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::ranges::sort(copy);
  return copy;
}

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Sum of squared deviations.
double scatter(std::span<const double> values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
}

}  // namespace

MeanEstimate trimmed_mean(std::span<const double> values) {
  auto ordered = sorted(values);
  const std::size_t cut = ordered.size() / one_in;
  const std::size_t kept = ordered.size() - 2 * cut;
  const double centre = mean(std::span(ordered).subspan(cut, kept));
  // Winsorised: what is cut counts as the outermost of what is kept.
  std::fill_n(ordered.begin(), cut, ordered[cut]);
  std::fill_n(ordered.rbegin(), cut, ordered[cut + kept - 1]);
  const auto k = static_cast<double>(kept);
  // All alike: their mean may be off by a rounding, and the scatter with it.
  const double all = ordered.front() == ordered.back() ? 0 : scatter(ordered);
  return {.mean = all == 0 ? ordered.front() : centre,
          .standard_error = std::sqrt(all / (k * (k - 1))),
          .degrees_of_freedom = k - 1};
}

double median(std::span<const double> values) {
  const auto ordered = sorted(values);
  const std::size_t half = ordered.size() / 2;
  return ordered.size() % 2 == 1 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}

}  // namespace vparity::reports
