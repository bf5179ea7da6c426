// The median, for every part of the project that needs one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace vparity::reports {

/// The middle value; of an even count, the mean of the two middle ones. `values` has at least one
/// element and no NaN, in any order.
inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace vparity::reports
