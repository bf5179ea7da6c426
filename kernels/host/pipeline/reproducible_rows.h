// Mode `reproducible`: first the maximum over all shards, then sums that are the same in any order.
#pragma once

#include <cstdint>
#include <functional>

#include "host/pipeline/forward_call.h"

namespace vparity {

/// Size of the widest shard of a group of rows that is exchanged together. The second read of the
/// group, and the rows that are fetched during it, then find them in the cache. A group has at
/// least one row.
inline constexpr std::int64_t reproducible_group_bytes = std::int64_t{2} << 20;

/// Collective over `tp`. Rows are processed in groups of at most `chunk` rows; `chunk` > 0 if there
/// are rows. The sums of a group travel with the maxima and targets of the next one. So G groups
/// cost G + 1 all-gathers, together 24 bytes per row with one id column and 4 more for each further
/// column. `examine` is called with the groups in order.
void reproducible_rows(const ForwardCall& call, std::int64_t chunk,
                       const std::function<void(RowRange, const FullRows&)>& examine);

}  // namespace vparity
