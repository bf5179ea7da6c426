// The reports of a run's shards, made one.
#pragma once

#include <string>
#include <vector>

#include "reports/model.h"

namespace vparity::harness {

struct Shard {
  std::string run;  ///< directory: messages name it
  reports::ParityReport report;
};

/// The report of the whole run: its cases in the order of the plan, the known failures judged on
/// the day on which the last shard started, the exit code that of the whole. Only `argv` is the
/// first shard's. Throws UsageError naming the runs if the shards are not of one plan, matrix,
/// seed, build and list of known failures, or one of them is missing or given twice.
reports::ParityReport merge(std::vector<Shard> shards);

}  // namespace vparity::harness
