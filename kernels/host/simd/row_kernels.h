// The two passes over a shard's logits, vectorised with run-time dispatch. No communication.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "row/gradient.h"
#include "row/sums.h"
#include "vparity/dtype.h"
#include "vparity/placement.h"

namespace vparity::cpu {

/// f of one stored logit, with the bits of the vectorised pass.
float apply(const Transform& transform, float x);

/// One read of the valid columns of each row of `logits`. `with_a`: compute `a` and `n` too. The
/// result of a row depends on its values and the shard's width alone, not on alignment, other rows
/// or the number of rows. sums.size() == logits.rows().rows.
void forward_rows(const VocabShard& logits, const Transform& transform, bool with_a,
                  std::span<Partial<RowSums>> sums);

/// Consecutive columns of a row that are contiguous in memory.
struct RowPiece {
  const std::byte* data;
  std::size_t columns;
};

/// The sums of one row of type `dtype` that lies in pieces. The bits are those that forward_rows
/// gives for a contiguous row.
RowSums forward_row(std::span<const RowPiece> pieces, DType dtype, const Transform& transform,
                    bool with_a);

/// Whether the gradient should be written past the caches. That saves the read of the overwritten
/// lines, a third of all traffic. It is not worth it for small results, which the next reader would
/// find in a cache, and not in place, where the lines have just been read.
bool worth_streaming(const VocabShard& logits, const MutableVocabShard& gradient);

/// One read of each row of `logits`, one write of each row of `gradient`: all `width` columns,
/// padding +0. `one_hots` is sorted by row and has no (row, column) twice. In place if gradient and
/// logits share their memory. `streamed` does not change the bits of the result.
void backward_rows(const VocabShard& logits, const Transform& transform,
                   std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                   const MutableVocabShard& gradient, bool streamed);

/// backward_rows for row `t` alone, whose one-hots are given. Not for mode `reproducible`. The
/// caller flushes streamed stores.
void backward_row(const VocabShard& logits, const Transform& transform, std::int64_t t,
                  const RowGradient& row, std::span<const OneHot> one_hots,
                  const MutableVocabShard& gradient, bool streamed);

inline void backward_rows(const VocabShard& logits, const Transform& transform,
                          std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                          const MutableVocabShard& gradient) {
  backward_rows(logits, transform, rows, one_hots, gradient, worth_streaming(logits, gradient));
}

}  // namespace vparity::cpu
