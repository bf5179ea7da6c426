// Makes one report of the reports of a run's shards.
#pragma once

#include <vector>

#include "harness/commands/merge/shards.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// The report of the whole run, with its exit code. The cases are in the order of the plan. Known
/// failures are judged on the day on which the last shard started. `argv` is that of the first
/// shard. Throws UsageError as require_shards_of_one_run() does, and if two cases have one place.
reports::Report merge(std::vector<Shard> shards);

}  // namespace vparity::harness
