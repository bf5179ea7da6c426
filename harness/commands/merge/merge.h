// The reports of a run's shards, made one.
#pragma once

#include <vector>

#include "harness/commands/merge/shards.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// The report of the whole run: its cases in the order of the plan, the known failures judged on
/// the day on which the last shard started, the exit code that of the whole; `argv` alone is the
/// first shard's. Throws UsageError as require_shards_of_one_run does, and if two cases claim one
/// place.
reports::Report merge(std::vector<Shard> shards);

}  // namespace vparity::harness
