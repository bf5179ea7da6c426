// A series without what is not finite.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace vparity::reports {

struct FiniteValues {
  explicit FiniteValues(std::span<const double> series) {
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (!std::isfinite(series[i])) continue;
      values.push_back(series[i]);
      places.push_back(i);
    }
  }

  std::vector<double> values;
  std::vector<std::size_t> places;  ///< of these, in the series
};

}  // namespace vparity::reports
