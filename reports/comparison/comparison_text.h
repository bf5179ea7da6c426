// A comparison as a person at a terminal reads it: 80 columns.
#pragma once

#include <string>

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// Both sides, what changed in parity, what in throughput, what could not be compared, and the
/// verdict as the last line. Of each list the first cases stand there and how many more there are,
/// or all of them. `default_key` is that of the default case: names leave out what is in it.
std::string comparison_text(const Comparison& comparison, const std::string& default_key, bool all);

/// The last line, of throughput if there is any, else of parity.
std::string verdict_line(const Comparison& comparison);

}  // namespace vparity::reports
