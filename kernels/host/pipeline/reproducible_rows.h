// Mode `reproducible`: the maximum of all shards first, then sums that any order of adding leaves
// the same.
#pragma once

#include <cstdint>
#include <functional>

#include "host/pipeline/forward_call.h"

namespace vparity {

/// Rows that are exchanged together: as many as have a widest shard of this size, so that the
/// second look at them, and the rows fetched meanwhile, find them in the cache; at least one.
inline constexpr std::int64_t reproducible_group_bytes = std::int64_t{2} << 20;

/// Collective over `tp`. Rows are taken in groups, at most `chunk` together (> 0 if there are
/// rows). A group's sums travel with the next one's maxima and targets, so that G groups cost G + 1
/// all-gathers, of 24 bytes per row with one id column in all (4 more for each further one).
/// `examine` is given the groups in order.
void reproducible_rows(const ForwardCall& call, std::int64_t chunk,
                       const std::function<void(RowRange, const FullRows&)>& examine);

}  // namespace vparity
