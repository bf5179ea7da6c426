// Sums of some rows and the gradient of others in one pass, with one exponential per element.
#pragma once

#include <span>

#include "host/simd/kept_terms.h"
#include "host/simd/row_kernels.h"

namespace vparity::cpu {

/// Rows whose terms have been kept, and what backward_rows asks for.
struct SummedRows {
  VocabShard logits;
  std::span<const RowGradient> rows;
  std::span<const OneHot> one_hots;
  MutableVocabShard gradient;
  bool streamed;
};

/// forward_rows of `next`, without softcap and smoothing, whose terms are put in the places of the
/// rows of `before`, while the gradient of these is written from what stood there: one read of the
/// former, one write of the latter. A row of `before` whose gradient is not its terms times a
/// coefficient (B is not 0, or an upstream is not finite or far out of scale) is read and
/// exponentiated again. The sums have the bits of forward_rows; the gradient, whose e^z is rounded
/// once more, does not have those of backward_rows. Neither depends on `streamed` or on what else
/// is computed. `kept` has room for the rows of both.
void forward_and_backward_rows(const VocabShard& next, const Transform& transform,
                               std::span<Partial<RowSums>> sums, const SummedRows& before,
                               KeptTerms& kept);

}  // namespace vparity::cpu
