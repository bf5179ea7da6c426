// The planned cases that the command line selects.
#pragma once

#include <vector>

#include "harness/plan/plan.h"

namespace vparity::harness {

/// The cases that --filter and --case leave, in order. Throws UsageError if none is left.
std::vector<PlannedCase> select(std::vector<PlannedCase> cases, const PlanOptions& options);

/// Those of them that --shard leaves, with their positions among all. Throws UsageError if none is
/// left.
std::vector<PlannedCase> shard(std::vector<PlannedCase> cases, const PlanOptions& options);

/// From 1, by the id alone: a case stays in its shard whatever else the matrix holds.
int shard_of(const std::string& id, int shards);

}  // namespace vparity::harness
