// One row of one shard to its gradient. Included once per target.
#if defined(VPARITY_CPU_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_BACKWARD_INL_H_
#undef VPARITY_CPU_BACKWARD_INL_H_
#else
#define VPARITY_CPU_BACKWARD_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "cpu/exp-inl.h"
#include "cpu/one_hot.h"
#include "cpu/row_kernels.h"
#include "cpu/scaled_coefficients.h"
#include "cpu/softcap-inl.h"
#include "cpu/storage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Columns that are decoded, differentiated and encoded together; the buffers stay in the L1 cache.
constexpr std::size_t kBackwardBlock = 1024;

/// One block between decoding and encoding. In place, a block is read completely before its
/// gradient is written over it.
struct GradientBlock {
  HWY_ALIGN float x[kBackwardBlock];         ///< stored logits
  HWY_ALIGN float capped[kBackwardBlock];    ///< f(x), with a softcap
  HWY_ALIGN float slope[kBackwardBlock];     ///< f'(x), with a softcap
  HWY_ALIGN float gradient[kBackwardBlock];  ///< grad_x

  const float* f(const Transform& transform) const { return transform.softcap > 0 ? capped : x; }
};

/// grad_x without the one-hot part (semantics 3, rules 4 and 5). `kSoftcap`: `slope` is read;
/// `kDivide` is false for a temperature of 1, `kScale` for coefficients without a factor.
template <bool kSoftcap, bool kDivide, bool kScale>
HWY_INLINE void Differentiate(const float* HWY_RESTRICT f, const float* HWY_RESTRICT slope,
                              std::size_t padded, const RowGradient& row,
                              const ScaledCoefficients& coefficients, float temperature,
                              float* HWY_RESTRICT gradient) {
  const hn::ScalableTag<float> d;
  const auto zero = hn::Zero(d);
  const auto max = hn::Set(d, row.max);
  const auto log_sum = hn::Set(d, static_cast<float>(row.log_sum()));
  const auto inverse_sum = hn::Set(d, static_cast<float>(1 / (1 + double{row.sum_minus_one})));
  const auto a = hn::Set(d, coefficients.a);
  const auto b = hn::Set(d, coefficients.b);
  const auto smoothing = hn::Set(d, coefficients.d);
  const auto tau = hn::Set(d, temperature);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto v = hn::Load(d, f + i);
    auto z = hn::Sub(v, max);
    if constexpr (kDivide) z = hn::Div(z, tau);
    z = ClampToExpDomain(d, z);
    const auto log_p = hn::Sub(z, log_sum);
    const auto p = hn::Mul(Exp(d, z), inverse_sum);  // not e^(log p): L was rounded to fp32
    // p = 0 is selected, not multiplied: an infinite upstream makes A infinite.
    const auto from_p = hn::IfThenElseZero(hn::Gt(p, zero), hn::Mul(p, hn::MulAdd(b, log_p, a)));
    const auto valid = hn::Gt(v, hn::Set(d, -HUGE_VALF));
    auto g = hn::Add(from_p, hn::IfThenElseZero(valid, smoothing));
    if constexpr (kSoftcap) g = hn::Mul(g, hn::Load(d, slope + i));
    if constexpr (kScale) {
      g = hn::Mul(hn::Mul(g, hn::Set(d, coefficients.scale[0])), hn::Set(d, coefficients.scale[1]));
    }
    hn::Store(g, d, gradient + i);
  }
}

template <bool kScale>
void DifferentiateBlock(GradientBlock& block, std::size_t padded, const RowGradient& row,
                        const ScaledCoefficients& coefficients, const Transform& transform) {
  const float tau = transform.temperature;
  if (transform.softcap > 0) {
    SoftcapBlock(block.x, padded, transform.softcap, block.capped, block.slope);
    Differentiate<true, true, kScale>(block.capped, block.slope, padded, row, coefficients, tau,
                                      block.gradient);
  } else if (tau != 1.0F) {
    Differentiate<false, true, kScale>(block.x, nullptr, padded, row, coefficients, tau,
                                       block.gradient);
  } else {
    Differentiate<false, false, kScale>(block.x, nullptr, padded, row, coefficients, tau,
                                        block.gradient);
  }
}

/// Replaces the gradient at the targets among columns [begin, begin + count).
inline void DifferentiateOneHots(GradientBlock& block, std::size_t begin, std::size_t count,
                                 const RowGradient& row, const Transform& transform,
                                 std::span<const OneHot> one_hots) {
  for (const OneHot& target : one_hots) {
    const auto i = static_cast<std::size_t>(target.column) - begin;  // huge if before `begin`
    if (i >= count) continue;
    block.gradient[i] = static_cast<float>(
        one_hot_gradient(row, transform, block.x[i], block.f(transform)[i], target.weight));
  }
}

template <DType kLogits, DType kGradient>
void BackwardRow(const std::byte* logits, std::size_t columns, const Transform& transform,
                 const RowGradient& row, std::span<const OneHot> one_hots, std::byte* gradient) {
  const hn::ScalableTag<float> d;
  const ScaledCoefficients coefficients = scaled_coefficients(row, transform.temperature);
  GradientBlock block;
  for (std::size_t begin = 0; begin < columns; begin += kBackwardBlock) {
    const std::size_t count = HWY_MIN(kBackwardBlock, columns - begin);
    const std::size_t padded = PaddedToVectors(d, count, 1);
    DecodeBlock<kLogits>(d, logits + begin * size_of(kLogits), count, padded, block.x);
    PrefetchColumns<kLogits>(logits, begin + kBackwardBlock,
                             HWY_MIN(begin + 2 * kBackwardBlock, columns));
    if (coefficients.scaled()) {
      DifferentiateBlock<true>(block, padded, row, coefficients, transform);
    } else {
      DifferentiateBlock<false>(block, padded, row, coefficients, transform);
    }
    DifferentiateOneHots(block, begin, count, row, transform, one_hots);
    EncodeBlock<kGradient>(d, block.gradient, count, gradient + begin * size_of(kGradient));
  }
}

/// NaN in `columns` columns.
template <DType kGradient>
void FillNan(std::size_t columns, std::byte* gradient) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float nan[kBackwardBlock];
  const std::size_t padded = PaddedToVectors(d, HWY_MIN(kBackwardBlock, columns), 1);
  for (std::size_t i = 0; i < padded; ++i) nan[i] = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t begin = 0; begin < columns; begin += kBackwardBlock) {
    EncodeBlock<kGradient>(d, nan, HWY_MIN(kBackwardBlock, columns - begin),
                           gradient + begin * size_of(kGradient));
  }
}

template <DType kLogits, DType kGradient>
void BackwardRowsOf(const VocabShard& logits, const Transform& transform,
                    std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                    const MutableVocabShard& gradient) {
  const auto valid = static_cast<std::size_t>(logits.columns().valid());
  const auto width = static_cast<std::size_t>(logits.columns().width);
  if (width == 0) return;  // there may be no memory
  std::size_t next = 0;    // in one_hots
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto row = static_cast<std::int64_t>(t);
    const std::size_t first = next;
    while (next < one_hots.size() && one_hots[next].row == row) ++next;
    std::byte* const to = gradient.rows().row(row);
    const RowGradient::Kind kind = rows[t].kind;
    if (kind == RowGradient::Kind::formula) {
      BackwardRow<kLogits, kGradient>(logits.rows().row(row), valid, transform, rows[t],
                                      one_hots.subspan(first, next - first), to);
    } else if (kind == RowGradient::Kind::nan) {
      FillNan<kGradient>(valid, to);
    }
    const std::size_t written = kind == RowGradient::Kind::zero ? 0 : valid;
    std::memset(to + written * size_of(kGradient), 0, (width - written) * size_of(kGradient));
  }
}

template <DType kLogits>
void BackwardRowsFrom(const VocabShard& logits, const Transform& transform,
                      std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                      const MutableVocabShard& gradient) {
  if (gradient.rows().dtype == kLogits) {
    BackwardRowsOf<kLogits, kLogits>(logits, transform, rows, one_hots, gradient);
  } else {
    BackwardRowsOf<kLogits, DType::fp32>(logits, transform, rows, one_hots, gradient);
  }
}

void BackwardRows(const VocabShard& logits, const Transform& transform,
                  std::span<const RowGradient> rows, std::span<const OneHot> one_hots,
                  const MutableVocabShard& gradient) {
  switch (logits.rows().dtype) {
    case DType::fp32:
      return BackwardRowsFrom<DType::fp32>(logits, transform, rows, one_hots, gradient);
    case DType::bf16:
      return BackwardRowsFrom<DType::bf16>(logits, transform, rows, one_hots, gradient);
    case DType::fp16:
      return BackwardRowsFrom<DType::fp16>(logits, transform, rows, one_hots, gradient);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_BACKWARD_INL_H_
