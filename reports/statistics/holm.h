// Many questions asked at once.
#pragma once

#include <span>
#include <vector>

namespace vparity::reports {

/// The p-values, adjusted: rejecting what is at most alpha rejects any true hypothesis with a
/// probability of at most alpha, however the values depend on each other (S. Holm, "A simple
/// sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979)). In the order
/// given.
std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace vparity::reports
