// Compiles the passes once per instruction set, and calls those of the best set of the processor.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/simd/row_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which has to see Highway's headers first.
#include <hwy/highway.h>

#include <cmath>
#include <vector>

#include "host/simd/backward-inl.h"
#include "host/simd/forward-inl.h"
#include "host/simd/reproducible_kernels.h"
#include "host/simd/row_kernels.h"
#include "host/simd/softcap-inl.h"
#include "reproducible/elementary_functions.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {

float Softcap(float x, float softcap) {
  const hwy::HWY_NAMESPACE::ScalableTag<double> d;
  HWY_ALIGN float lanes[hwy::HWY_NAMESPACE::MaxLanes(d)] = {x};
  SoftcapBlock(lanes, 1, softcap, lanes, nullptr);
  return lanes[0];
}

void FastBackwardRows(const VocabShard& logits, const Transform& transform,
                      std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                      const MutableVocabShard& gradient, bool streamed) {
  BackwardRows<Differential>(logits, transform, rows, one_hots, gradient, streamed);
}

template <DType kLogits>
void FastBackwardRowFrom(const VocabShard& logits, const Transform& transform, std::int64_t t,
                         const RowGradient& row, std::span<const OneHot> one_hots,
                         const MutableVocabShard& gradient, bool streamed) {
  std::vector<float> at_targets;
  if (gradient.rows().dtype == kLogits) {
    BackwardRowOfAnyKind<Differential, kLogits, kLogits>(logits, transform, t, row, one_hots,
                                                         gradient, streamed, at_targets);
  } else {
    BackwardRowOfAnyKind<Differential, kLogits, DType::fp32>(logits, transform, t, row, one_hots,
                                                             gradient, streamed, at_targets);
  }
}

void FastBackwardRow(const VocabShard& logits, const Transform& transform, std::int64_t t,
                     const RowGradient& row, std::span<const OneHot> one_hots,
                     const MutableVocabShard& gradient, bool streamed) {
  switch (logits.rows().dtype) {
    case DType::fp32:
      return FastBackwardRowFrom<DType::fp32>(logits, transform, t, row, one_hots, gradient,
                                              streamed);
    case DType::bf16:
      return FastBackwardRowFrom<DType::bf16>(logits, transform, t, row, one_hots, gradient,
                                              streamed);
    case DType::fp16:
      return FastBackwardRowFrom<DType::fp16>(logits, transform, t, row, one_hots, gradient,
                                              streamed);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace vparity::cpu {

HWY_EXPORT(Softcap);
HWY_EXPORT(ForwardRow);
HWY_EXPORT(ForwardRows);
HWY_EXPORT(FastBackwardRows);
HWY_EXPORT(FastBackwardRow);

float apply(const Transform& transform, float x) {
  const float c = transform.softcap;
  if (c == 0) return x;
  if (!transform.reproducible) return HWY_DYNAMIC_DISPATCH(Softcap)(x, c);
  return std::isfinite(x) ? static_cast<float>(vparity::reproducible::softcap(x, c).value) : x;
}

void forward_rows(const VocabShard& logits, const Transform& transform, bool with_a,
                  std::span<Partial<RowSums>> sums) {
  HWY_DYNAMIC_DISPATCH(ForwardRows)(logits, transform, with_a, sums);
}

RowSums forward_row(std::span<const RowPiece> pieces, DType dtype, const Transform& transform,
                    bool with_a) {
  return HWY_DYNAMIC_DISPATCH(ForwardRow)(pieces, dtype, transform, with_a);
}

void backward_rows(const VocabShard& logits, const Transform& transform,
                   std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                   const MutableVocabShard& gradient, bool streamed) {
  if (transform.reproducible) {
    return backward_rows_reproducibly(logits, transform, rows, one_hots, gradient, streamed);
  }
  HWY_DYNAMIC_DISPATCH(FastBackwardRows)(logits, transform, rows, one_hots, gradient, streamed);
}

void backward_row(const VocabShard& logits, const Transform& transform, std::int64_t t,
                  const RowGradient& row, std::span<const OneHot> one_hots,
                  const MutableVocabShard& gradient, bool streamed) {
  HWY_DYNAMIC_DISPATCH(FastBackwardRow)(logits, transform, t, row, one_hots, gradient, streamed);
}

bool worth_streaming(const VocabShard& logits, const MutableVocabShard& gradient) {
  constexpr std::int64_t cached_bytes = std::int64_t{4} << 20;
  const MutableRows& to = gradient.rows();
  const auto bytes =
      to.rows * gradient.columns().width * static_cast<std::int64_t>(size_of(to.dtype));
  return to.data != logits.rows().data && bytes >= cached_bytes;
}

}  // namespace vparity::cpu

#endif  // HWY_ONCE
