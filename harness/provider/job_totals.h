// How the results of data-parallel ranks become those of the job (semantics 4), for providers that
// do not use the kernels of this repository: the plain kernels and the baselines.
#pragma once

#include <cstdint>
#include <span>

#include "vparity/policy_statistics.h"

namespace vparity::harness {

/// What one data-parallel rank adds to the job's results; sums over its valid rows.
struct RankTotals {
  double loss = 0, entropy = 0;
  std::int64_t valid_tokens = 0, degenerate_rows = 0;
};

/// The sums in rank order, and the means over all valid tokens.
GlobalResults job_results(std::span<const RankTotals> dp_ranks);

/// The first id of a data-parallel rank that is outside [0, V) and not ignored.
struct BadId {
  std::int64_t rows = 0;  ///< of the rank
  std::int64_t row = -1;  ///< local; -1 if all ids are good
  int column = 0;
  std::int64_t id = 0;
  bool found() const { return row >= 0; }
};
BadId first_bad_id(const TokenIds& ids, std::int64_t vocab, std::int64_t ignore_index);

/// Throws LabelError for the first rank with a bad id, with the row counted over all ranks.
void refuse_bad_ids(std::span<const BadId> dp_ranks, std::int64_t vocab);

}  // namespace vparity::harness
