// Quantities with three digits and their unit.
#pragma once

#include <string>

namespace vparity::reports {

/// "5.37 ms".
std::string time_text(double seconds);

/// A change by the share `ratio`: "+5.00%".
std::string change_text(double ratio);

}  // namespace vparity::reports
