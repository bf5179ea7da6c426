// What a handful of times says.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace vparity::harness {

/// The value that `share` of the sorted ones are not above, by the nearest rank; `sorted` is not
/// empty.
double sorted_quantile(std::span<const double> sorted, double share);

struct Interval {
  double low = 0, high = 0;
};

/// Holds the median of what the sorted values are drawn from in at least 95 of 100 draws, whatever
/// its distribution: two order statistics, by the binomial distribution (H. A. David, H. N.
/// Nagaraja, Order Statistics, 7.1). Below six values no two do; then all of them.
Interval median_interval(std::span<const double> sorted);

/// How many samples it takes until that interval is about `half_width` times the median to either
/// side, by the spread of the ones there are; at least that many.
std::size_t samples_needed(std::vector<double> samples, double half_width);

}  // namespace vparity::harness
