// The passes of mode `reproducible` over a shard's logits (semantics 6), vectorised with run-time
// dispatch: the same bits on every instruction set and for every split of a row.
#pragma once

#include <cstdint>
#include <span>

#include "host/simd/row_kernels.h"
#include "reproducible/exact_reductions.h"
#include "vparity/placement.h"

namespace vparity::cpu {

/// The key of each row's largest stored logit x (not f(x)) among the shard's valid columns. Without
/// a valid column it is the key of -inf; if a logit is NaN it is the key of NaN.
void row_maxima(const VocabShard& logits, std::span<Partial<reproducible::OrderKey>> keys);

using reproducible::GridSums;

/// `maxima[t]` is F of row t over the whole vocabulary. A row whose F is not finite is not read;
/// its sums are 0. `upcoming` are the rows of the next call, at most as many as in this one. Their
/// maxima are found in the same loop, which brings them into the cache. upcoming_keys.size() ==
/// upcoming.rows.
void row_sums(const VocabShard& logits, const Transform& transform, std::span<const float> maxima,
              const Rows& upcoming, std::span<Partial<GridSums>> sums,
              std::span<Partial<reproducible::OrderKey>> upcoming_keys);

/// backward_rows where transform.reproducible is set.
void backward_rows_reproducibly(const VocabShard& logits, const Transform& transform,
                                std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                                const MutableVocabShard& gradient, bool streamed);

}  // namespace vparity::cpu
