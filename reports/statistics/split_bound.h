// How likely at most a random order of a series is as split as one that was seen, for series whose
// split is so clear that random orders would have to be drawn by the million to meet one.
#pragma once

#include <cstddef>
#include <span>

namespace vparity::reports {

/// Of the largest energy statistic (energy_scan.h) of any split of these values, in whatever order,
/// with at least `fewest` on each side: P(it is at least `statistic`) is at most this if all orders
/// are equally likely. Nothing else is assumed. Takes some ten microseconds per hundred values.
double split_bound(std::span<const double> values, std::size_t fewest, double statistic);

}  // namespace vparity::reports
