// Compiles the passes of mode `reproducible` once per instruction set, and calls those of the best
// set of the processor.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/simd/reproducible_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which has to see Highway's headers first.
#include <hwy/highway.h>

#include "host/simd/reproducible_backward-inl.h"
#include "host/simd/reproducible_forward-inl.h"
#include "host/simd/reproducible_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {

void BackwardRowsReproducibly(const VocabShard& logits, const Transform& transform,
                              std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                              const MutableVocabShard& gradient, bool streamed) {
  BackwardRows<ReproducibleDifferential>(logits, transform, rows, one_hots, gradient, streamed);
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace vparity::cpu {

HWY_EXPORT(RowMaxima);
HWY_EXPORT(RowGridSumsOf);
HWY_EXPORT(BackwardRowsReproducibly);

void row_maxima(const VocabShard& logits, std::span<Partial<reproducible::OrderKey>> keys) {
  HWY_DYNAMIC_DISPATCH(RowMaxima)(logits, keys);
}

void row_sums(const VocabShard& logits, const Transform& transform, std::span<const float> maxima,
              const Rows& upcoming, std::span<Partial<GridSums>> sums,
              std::span<Partial<reproducible::OrderKey>> upcoming_keys) {
  HWY_DYNAMIC_DISPATCH(RowGridSumsOf)(logits, transform, maxima, upcoming, sums, upcoming_keys);
}

void backward_rows_reproducibly(const VocabShard& logits, const Transform& transform,
                                std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                                const MutableVocabShard& gradient, bool streamed) {
  HWY_DYNAMIC_DISPATCH(BackwardRowsReproducibly)
  (logits, transform, rows, one_hots, gradient, streamed);
}

}  // namespace vparity::cpu

#endif  // HWY_ONCE
