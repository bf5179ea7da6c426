// Which of the planned cases the command line asks for.
#pragma once

#include <vector>

#include "harness/plan/plan.h"

namespace vparity::harness {

/// The cases that --filter, --case and --shard leave, in order. Throws UsageError if none is left.
std::vector<PlannedCase> select(std::vector<PlannedCase> cases, const PlanOptions& options);

}  // namespace vparity::harness
