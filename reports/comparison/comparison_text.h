// A run comparison as text for a terminal: 80 columns.
#pragma once

#include <string>

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// Both sides, the changes in parity and in throughput, the cases that are not comparable, and the
/// verdict as the last line. Each list has its first cases and the number of further ones; with
/// `all` it has every case. `default_key` is the key of the default case; names leave out its
/// values.
std::string comparison_text(const Comparison& comparison, const std::string& default_key, bool all);

/// The last line: counts of throughput if there is any, otherwise of parity.
std::string verdict_line(const Comparison& comparison);

}  // namespace vparity::reports
