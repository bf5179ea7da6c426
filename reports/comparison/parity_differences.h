// The parity part of a run comparison.
#pragma once

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// Fills the members of `comparison` that concern parity.
void compare_parity(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                    Comparison& comparison);

}  // namespace vparity::reports
