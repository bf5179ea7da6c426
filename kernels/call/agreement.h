// The agreement of all ranks on options and shards, before the first row is read.
#pragma once

#include <cstdint>
#include <span>

#include "vparity/communicator.h"
#include "vparity/options.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

/// What one rank passes to the constructor of PolicyStatistics or DevicePolicyStatistics.
struct Statement {
  Options options;
  ShardColumns columns;
  std::int64_t vocab;
};

/// Collective over both groups: every rank of the job returns the whole split, or throws the same
/// ArgumentError.
VocabularySplit agree(ProcessGroups groups, const Statement& own);

/// The decision of agree() on the statements of all ranks: `tp` of them for each DP rank, in rank
/// order.
VocabularySplit agreed_split(std::span<const Statement> job, int tp);

}  // namespace vparity
