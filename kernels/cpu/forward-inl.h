// One row of one shard to its sums. Included once per target.
#if defined(VPARITY_CPU_FORWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_FORWARD_INL_H_
#undef VPARITY_CPU_FORWARD_INL_H_
#else
#define VPARITY_CPU_FORWARD_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "cpu/exp-inl.h"
#include "cpu/row_kernels.h"
#include "cpu/running_sums.h"
#include "cpu/softcap-inl.h"
#include "cpu/storage-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;

// A block is read from memory once and then looked at several times in the L1 cache. It is
// summed in fp32 by four independent chains of 32 additions per lane: short enough that even
// roundings that all go one way stay below the bound's k (semantics 7), at any vector width.
constexpr std::size_t kForwardChains = 4;
constexpr std::size_t kForwardChainLength = 32;
constexpr std::size_t kForwardBlockVectors = kForwardChains * kForwardChainLength;

struct BlockScan {
  float max;
  std::int32_t valid;
  bool poisoned;
};

/// Of stored values, before any softcap. `padded` holds whole vectors.
HWY_INLINE BlockScan ScanBlock(const float* HWY_RESTRICT x, std::size_t padded) {
  const FloatTag d;
  const hn::RebindToSigned<FloatTag> di;
  const auto minus_infinity = hn::Set(d, -HUGE_VALF);
  const auto infinity = hn::Set(d, HUGE_VALF);
  auto max = minus_infinity;
  auto masked = hn::Zero(di);  // minus their number
  auto in_order = hn::Lt(minus_infinity, infinity);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto v = hn::Load(d, x + i);
    max = hn::Max(max, v);
    masked = hn::Add(masked, hn::VecFromMask(di, hn::RebindMask(di, hn::Eq(v, minus_infinity))));
    in_order = hn::And(in_order, hn::Lt(v, infinity));  // false for NaN, which Max may drop
  }
  const auto lanes = static_cast<std::int32_t>(padded);
  return {hn::GetLane(hn::MaxOfLanes(d, max)), lanes + hn::GetLane(hn::SumOfLanes(di, masked)),
          !hn::AllTrue(d, in_order)};
}

HWY_INLINE float MaxOfBlock(const float* HWY_RESTRICT f, std::size_t padded) {
  const FloatTag d;
  auto max = hn::Set(d, -HUGE_VALF);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) max = hn::Max(max, hn::Load(d, f + i));
  return hn::GetLane(hn::MaxOfLanes(d, max));
}

template <class V>
struct TermSums {
  V s, u;

  /// Adds e^z and e^z z.
  template <class D>
  HWY_INLINE void Add(D d, V z) {
    const V clamped = ClampToExpDomain(d, z);
    const V p = Exp(d, clamped);
    s = hn::Add(s, p);
    u = hn::MulAdd(p, clamped, u);
  }
};

template <bool kDivide, class D, class V = hn::Vec<D>>
HWY_INLINE V Centred(D d, const float* f, V max, V temperature) {
  const V difference = hn::Sub(hn::Load(d, f), max);
  return kDivide ? hn::Div(difference, temperature) : difference;
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE double SumOfChains(D d, V v0, V v1, V v2, V v3) {
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(v0, v1), hn::Add(v2, v3))));
}

/// Adds sum e^z and sum e^z z, z = (f - sums.max) / temperature. `padded` is a multiple of
/// kForwardChains vectors. `kDivide` is false for a temperature of 1.
template <bool kDivide>
HWY_INLINE void SumBlock(const float* HWY_RESTRICT f, std::size_t padded, float temperature,
                         RunningSums& sums) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto max = hn::Set(d, sums.max);
  const auto tau = hn::Set(d, temperature);
  TermSums<hn::Vec<FloatTag>> t0{hn::Zero(d), hn::Zero(d)}, t1 = t0, t2 = t0, t3 = t0;
  for (const float* const end = f + padded; f != end; f += kForwardChains * lanes) {
    t0.Add(d, Centred<kDivide>(d, f, max, tau));
    t1.Add(d, Centred<kDivide>(d, f + lanes, max, tau));
    t2.Add(d, Centred<kDivide>(d, f + 2 * lanes, max, tau));
    t3.Add(d, Centred<kDivide>(d, f + 3 * lanes, max, tau));
  }
  sums.s += SumOfChains(d, t0.s, t1.s, t2.s, t3.s);
  sums.u += SumOfChains(d, t0.u, t1.u, t2.u, t3.u);
}

/// Sum of f - max over valid columns. In double: the differences may exceed fp32's range where
/// their mean does not.
inline double SumCentred(const float* f, std::size_t padded, float max) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto reference = hn::Set(d, static_cast<double>(max));
  const auto minus_infinity = hn::Set(d, -HUGE_VAL);
  auto sum = hn::Zero(d);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto v = hn::PromoteTo(d, hn::Load(df, f + i));
    sum = hn::Add(sum, hn::IfThenElseZero(hn::Gt(v, minus_infinity), hn::Sub(v, reference)));
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

/// `x` holds the block's stored values and is overwritten with f(x).
inline void AddBlock(float* HWY_RESTRICT x, std::size_t padded, const Transform& transform,
                     bool with_a, RunningSums& sums) {
  BlockScan block = ScanBlock(x, padded);
  sums.poisoned |= block.poisoned;
  if (block.valid == 0) return;
  if (transform.softcap > 0) {
    SoftcapBlock(x, padded, transform.softcap, x, nullptr);
    block.max = MaxOfBlock(x, padded);
  }
  sums.raise_max(block.max, transform.temperature);
  sums.n += block.valid;
  if (transform.temperature == 1.0F) {
    SumBlock<false>(x, padded, transform.temperature, sums);
  } else {
    SumBlock<true>(x, padded, transform.temperature, sums);
  }
  if (with_a) sums.centred += SumCentred(x, padded, sums.max);
}

template <DType kType>
RowSums ForwardRow(const std::byte* row, std::size_t columns, const Transform& transform,
                   bool with_a) {
  const FloatTag d;
  HWY_ALIGN float x[kForwardBlockVectors * hn::MaxLanes(d)];
  const std::size_t block = kForwardBlockVectors * hn::Lanes(d);
  RunningSums sums;
  for (std::size_t begin = 0; begin < columns; begin += block) {
    const std::size_t count = HWY_MIN(block, columns - begin);
    const std::size_t padded = PaddedToVectors(d, count, kForwardChains);
    DecodeBlock<kType>(d, row + begin * size_of(kType), count, padded, x);
    PrefetchColumns<kType>(row, begin + block, HWY_MIN(begin + 2 * block, columns));
    AddBlock(x, padded, transform, with_a, sums);
  }
  return sums.finish(transform.temperature);
}

template <DType kType>
void ForwardRowsOf(const VocabShard& logits, const Transform& transform, bool with_a,
                   std::span<Partial<RowSums>> sums) {
  const Rows& rows = logits.rows();
  const auto columns = static_cast<std::size_t>(logits.columns().valid());
  for (std::int64_t t = 0; t < rows.rows; ++t) {
    const std::byte* const row = columns > 0 ? rows.row(t) : nullptr;  // there may be no memory
    sums[static_cast<std::size_t>(t)].value = ForwardRow<kType>(row, columns, transform, with_a);
  }
}

void ForwardRows(const VocabShard& logits, const Transform& transform, bool with_a,
                 std::span<Partial<RowSums>> sums) {
  switch (logits.rows().dtype) {
    case DType::fp32:
      return ForwardRowsOf<DType::fp32>(logits, transform, with_a, sums);
    case DType::bf16:
      return ForwardRowsOf<DType::bf16>(logits, transform, with_a, sums);
    case DType::fp16:
      return ForwardRowsOf<DType::fp16>(logits, transform, with_a, sums);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_FORWARD_INL_H_
