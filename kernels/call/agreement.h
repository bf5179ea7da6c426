// What all ranks of the job must agree on before the first row is looked at.
#pragma once

#include <cstdint>
#include <span>

#include "vparity/communicator.h"
#include "vparity/options.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

/// What one rank states when kernels are bound to its process grid.
struct Statement {
  Options options;
  ShardColumns columns;
  std::int64_t vocab;
};

/// Collective over both groups: every rank of the job gets the whole split, or the same
/// ArgumentError.
VocabularySplit agree(ProcessGroups groups, const Statement& own);

/// The decision behind it, on the statements of all ranks: `tp` of them for each DP rank, in rank
/// order.
VocabularySplit agreed_split(std::span<const Statement> job, int tp);

}  // namespace vparity
