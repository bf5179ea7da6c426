// The data-parallel reduction that ends a forward call (semantics 4).
#pragma once

#include <cstdint>
#include <optional>

#include "vparity/communicator.h"
#include "vparity/placement.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// The first id of this DP rank's rows that is outside [0, V) and not ignored.
struct BadLabel {
  std::int64_t row;  ///< local
  std::int32_t column;
  std::int64_t label;
};
std::optional<BadLabel> first_bad_label(const TokenIds& ids, std::int64_t vocab,
                                        std::int64_t ignore_index);

/// Sums of the fp32 outputs over the rows of one DP rank, in row order.
struct LocalSums {
  double loss = 0;     ///< over valid rows
  double entropy = 0;  ///< over valid rows
  std::int64_t valid_tokens = 0;
  std::int64_t degenerate_rows = 0;  ///< of the valid rows
};

/// The contribution of one DP rank to reduce(), also if one of its labels is bad.
struct DataParallelReport {
  std::int64_t rows = 0;
  std::optional<BadLabel> bad_label;
  LocalSums sums;
};

/// Collective over `dp`: one all-gather. The reports are added in rank order. If one has a bad
/// label, every rank throws the same LabelError, with the row counted over all DP ranks.
GlobalResults reduce(Communicator& dp, const DataParallelReport& own, std::int64_t vocab);

}  // namespace vparity
