// The throughput part of a run comparison.
#pragma once

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// Fills the members of `comparison` that concern throughput.
void compare_throughput(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                        Comparison& comparison);

}  // namespace vparity::reports
