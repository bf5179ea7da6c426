// What changed in throughput.
#pragma once

#include "reports/comparison/comparison.h"

namespace vparity::reports {

/// Fills what the comparison says of throughput.
void compare_throughput(const std::vector<ComparedRun>& base, const std::vector<ComparedRun>& head,
                        Comparison& comparison);

}  // namespace vparity::reports
