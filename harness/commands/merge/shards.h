// Reports that may be the shards of one run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::harness {

struct Shard {
  std::string run;  ///< directory: messages name it
  reports::Report report;
};

/// Where the report's cases stand among those of all shards, from 0.
std::vector<std::int64_t> positions_of(const reports::Report& report);

/// How many cases all shards have together.
std::int64_t total_of(const reports::Report& report);

/// Throws UsageError naming the runs unless they have matrix, seed, build, number of cases and list
/// of known failures in common, each shard holds cases of its own alone, none is given twice and
/// none is missing. (A shard that has no case leaves no report, and none is missed.)
void require_shards_of_one_run(const std::vector<Shard>& shards);

}  // namespace vparity::harness
