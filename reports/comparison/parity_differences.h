// What changed in parity.
#pragma once

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// Fills what the comparison says of parity.
void compare_parity(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                    Comparison& comparison);

}  // namespace vparity::reports
