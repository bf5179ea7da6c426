// A range of rows, and the part of a call's views that belongs to it.
#pragma once

#include <cstdint>

#include "vparity/placement.h"
#include "vparity/policy_statistics.h"

namespace vparity {

/// The rows of one chunk.
struct RowRange {
  std::int64_t first;
  std::int64_t count;
};

template <class Byte>
BasicVocabShard<Byte> rows_of(const BasicVocabShard<Byte>& shard, RowRange range) {
  const BasicRows<Byte>& all = shard.rows();
  return {{all.row(range.first), all.dtype, range.count, all.row_stride}, shard.columns()};
}

inline TokenIds rows_of(const TokenIds& ids, RowRange range) {
  return ids.slice(range.first, range.count);
}

inline StatisticsViews rows_of(const StatisticsViews& views, RowRange range) {
  return {views.logprob.slice(range.first, range.count),
          views.entropy.slice(range.first, range.count), views.lse.slice(range.first, range.count),
          views.loss.slice(range.first, range.count)};
}

inline UpstreamGradients rows_of(const UpstreamGradients& views, RowRange range) {
  return {views.logprob.slice(range.first, range.count),
          views.entropy.slice(range.first, range.count),
          views.loss.slice(range.first, range.count)};
}

}  // namespace vparity
