// The coefficients of each row's gradient, from upstream gradients and saved statistics (semantics
// 3).
#pragma once

#include <vector>

#include "host/simd/row_kernels.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// The arguments of cpu::backward_rows for one shard.
struct RowGradients {
  std::vector<RowGradient> rows;
  std::vector<OneHot> one_hots;
};

/// `own` are the columns of this rank's shard; only ids in them have a one-hot part.
RowGradients row_gradients(const TokenIds& ids, const SavedStatistics& saved,
                           const UpstreamGradients& upstream, const ShardColumns& own,
                           const Options& options);

}  // namespace vparity
