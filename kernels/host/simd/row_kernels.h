// The two passes over a shard's logits, vectorised with run-time dispatch (row_kernels.cpp).
// Nothing here communicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "row/gradient.h"
#include "row/sums.h"
#include "row/transform.h"
#include "vparity/dtype.h"
#include "vparity/placement.h"

namespace vparity::cpu {

/// f of one stored logit, the same bits as the vectorised pass gives it.
float apply(const Transform& transform, float x);

/// One read of each row of `logits`, whose valid columns alone are looked at; `with_a` asks for
/// `a` and `n`. The result of a row depends on its values and the shard's width only, not on
/// alignment, neighbours or the number of rows. sums.size() == logits.rows().rows.
void forward_rows(const VocabShard& logits, const Transform& transform, bool with_a,
                  std::span<Partial<RowSums>> sums);

/// Consecutive columns of a row that stand together.
struct RowPiece {
  const std::byte* data;
  std::size_t columns;
};

/// The sums of one row of elements of type `dtype` that lies in pieces, with the bits that
/// forward_rows gives it if it stands together.
RowSums forward_row(std::span<const RowPiece> pieces, DType dtype, const Transform& transform,
                    bool with_a);

/// Whether the gradient should pass by the caches, which spares the read of what it overwrites, a
/// third of all traffic. Not worth it for results that the next reader would find in a cache, and
/// not in place, where that read has just been.
bool worth_streaming(const VocabShard& logits, const MutableVocabShard& gradient);

/// One read of each row of `logits`, one write of each row of `gradient` (all `width` columns;
/// padding +0). `one_hots` is sorted by row and holds no (row, column) twice. In place if gradient
/// and logits share their memory. `streamed` does not change a bit of the result.
void backward_rows(const VocabShard& logits, const Transform& transform,
                   std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                   const MutableVocabShard& gradient, bool streamed);

inline void backward_rows(const VocabShard& logits, const Transform& transform,
                          std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                          const MutableVocabShard& gradient) {
  backward_rows(logits, transform, rows, one_hots, gradient, worth_streaming(logits, gradient));
}

}  // namespace vparity::cpu
