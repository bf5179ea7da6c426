// The reports of shards, and whether they belong to one run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::harness {

struct Shard {
  std::string run;  ///< folder, named in messages
  reports::Report report;
};

/// The places of the report's cases among the cases of all shards, from 0.
std::vector<std::int64_t> positions_of(const reports::Report& report);

/// The number of cases of all shards together.
std::int64_t total_of(const reports::Report& report);

/// Throws UsageError naming the runs if they differ in matrix, seed, build, number of cases or list
/// of known failures, if a shard holds a case of another shard, or if a shard is given twice or is
/// missing. A shard without cases leaves no report and is not missing.
void require_shards_of_one_run(const std::vector<Shard>& shards);

}  // namespace vparity::harness
