#include "reports/statistics/holm.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace vparity::reports {

std::vector<double> holm_adjusted(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t left = order.size(); const std::size_t i : order) {
    largest = std::max(largest, std::min(1.0, p_values[i] * static_cast<double>(left--)));
    adjusted[i] = largest;
  }
  return adjusted;
}

}  // namespace vparity::reports
