// Compiles the passes once per instruction set and calls the best one that the processor has.
#include "harness/provider/baselines/row_ops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/provider/baselines/row_ops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which has to see Highway's headers first.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "harness/case/storage.h"

// Instructions between fp16 and fp32; elsewhere Highway 1.0.3 takes infinities for finite numbers.
#undef VPARITY_BASELINES_NATIVE_FP16
#if HWY_ARCH_X86 && (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)
#define VPARITY_BASELINES_NATIVE_FP16 1
#else
#define VPARITY_BASELINES_NATIVE_FP16 0
#endif

HWY_BEFORE_NAMESPACE();
namespace vparity::harness::baselines::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
using Input = std::span<const float>;
using Output = std::span<float>;

constexpr float kLeast = std::numeric_limits<float>::lowest();

/// `count` elements at `x`, less than a vector, the other lanes `rest`.
HWY_INLINE V LoadFew(const float* x, std::size_t count, float rest) {
  HWY_ALIGN float lanes[hn::MaxLanes(D())];
  hn::Store(hn::Set(D(), rest), D(), lanes);
  std::memcpy(lanes, x, count * sizeof(float));
  return hn::Load(D(), lanes);
}

HWY_INLINE void StoreFew(V v, float* x, std::size_t count) {
  HWY_ALIGN float lanes[hn::MaxLanes(D())];
  hn::Store(v, D(), lanes);
  std::memcpy(x, lanes, count * sizeof(float));
}

/// out = op(x), element by element.
template <class Op>
HWY_INLINE void Map(Input x, Output out, const Op& op) {
  const D d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= x.size(); i += hn::Lanes(d)) {
    hn::StoreU(op(hn::LoadU(d, &x[i])), d, &out[i]);
  }
  const std::size_t few = x.size() - i;
  if (few > 0) StoreFew(op(LoadFew(&x[i], few, 0)), &out[i], few);
}

/// out = op(x, y)
template <class Op>
HWY_INLINE void MapTwo(Input x, Input y, Output out, const Op& op) {
  const D d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= x.size(); i += hn::Lanes(d)) {
    hn::StoreU(op(hn::LoadU(d, &x[i]), hn::LoadU(d, &y[i])), d, &out[i]);
  }
  const std::size_t few = x.size() - i;
  if (few > 0) StoreFew(op(LoadFew(&x[i], few, 0), LoadFew(&y[i], few, 0)), &out[i], few);
}

/// The larger of a lane's two, NaN if one is; Highway's Max drops NaN on one side.
HWY_INLINE V MaxKeepingNan(V max, V x) {
  return hn::IfThenElse(hn::Or(hn::Gt(x, max), hn::IsNaN(x)), x, max);
}

float Maximum(Input x) {
  const D d;
  constexpr std::size_t kChains = 4;
  const auto lowest = hn::Set(d, -HUGE_VALF);
  auto m0 = lowest, m1 = lowest, m2 = lowest, m3 = lowest;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + kChains * lanes <= x.size(); i += kChains * lanes) {
    m0 = MaxKeepingNan(m0, hn::LoadU(d, &x[i]));
    m1 = MaxKeepingNan(m1, hn::LoadU(d, &x[i + lanes]));
    m2 = MaxKeepingNan(m2, hn::LoadU(d, &x[i + 2 * lanes]));
    m3 = MaxKeepingNan(m3, hn::LoadU(d, &x[i + 3 * lanes]));
  }
  for (; i < x.size(); i += lanes) {
    m0 = MaxKeepingNan(m0, LoadFew(&x[i], HWY_MIN(lanes, x.size() - i), -HUGE_VALF));
  }
  const auto max = MaxKeepingNan(MaxKeepingNan(m0, m1), MaxKeepingNan(m2, m3));
  if (!hn::AllFalse(d, hn::IsNaN(max))) return std::numeric_limits<float>::quiet_NaN();
  return hn::GetLane(hn::MaxOfLanes(d, max));
}

/// Terms begin to end of a row, few enough to be added one after the other: by four chains of at
/// most 16 additions a lane. `term(i, n)` is the vector of n terms from i on, the other lanes 0.
constexpr std::size_t kChains = 4;
constexpr std::size_t kBlockVectors = kChains * 16;

template <class Term>
HWY_INLINE float BlockSum(std::size_t begin, std::size_t end, const Term& term) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  std::size_t i = begin;
  for (; i + kChains * lanes <= end; i += kChains * lanes) {
    s0 = hn::Add(s0, term(i, lanes));
    s1 = hn::Add(s1, term(i + lanes, lanes));
    s2 = hn::Add(s2, term(i + 2 * lanes, lanes));
    s3 = hn::Add(s3, term(i + 3 * lanes, lanes));
  }
  for (; i < end; i += lanes) s0 = hn::Add(s0, term(i, HWY_MIN(lanes, end - i)));
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

/// Blocks are added as a binary tree.
template <class Term>
float TreeSum(std::size_t begin, std::size_t end, const Term& term) {
  const std::size_t block = kBlockVectors * hn::Lanes(D());
  const std::size_t blocks = (end - begin + block - 1) / block;
  if (blocks <= 1) return BlockSum(begin, end, term);
  const std::size_t middle = begin + blocks / 2 * block;
  return TreeSum(begin, middle, term) + TreeSum(middle, end, term);
}

HWY_INLINE V LoadUpTo(Input x, std::size_t i, std::size_t count) {
  return count == hn::Lanes(D()) ? hn::LoadU(D(), &x[i]) : LoadFew(&x[i], count, 0);
}

float Sum(Input x) {
  return TreeSum(0, x.size(),
                 [&](std::size_t i, std::size_t n) HWY_ATTR { return LoadUpTo(x, i, n); });
}

float SumOfProducts(Input p, Input z) {
  const auto least = hn::Set(D(), kLeast);
  return TreeSum(0, p.size(), [&](std::size_t i, std::size_t n) HWY_ATTR {
    return hn::Mul(LoadUpTo(p, i, n), hn::Max(LoadUpTo(z, i, n), least));
  });
}

void Subtract(Output x, float c) {
  const auto all = hn::Set(D(), c);
  Map(x, x, [&](V v) HWY_ATTR { return hn::Sub(v, all); });
}

void Divide(Output x, float c) {
  const auto all = hn::Set(D(), c);
  Map(x, x, [&](V v) HWY_ATTR { return hn::Div(v, all); });
}

void Exponentials(Input x, Output out) {
  Map(x, out, [&](V v) HWY_ATTR {
    return hn::IfThenElse(hn::IsNaN(v), v, hn::Exp(D(), v));  // Exp(NaN) is 0
  });
}

void Scaled(Input x, float c, Output out) {
  const auto all = hn::Set(D(), c);
  const auto zero = hn::Zero(D());
  Map(x, out, [&](V v) HWY_ATTR { return hn::Add(hn::Mul(v, all), zero); });
}

void FiniteDifferences(Input x, float c, Output out) {
  const auto all = hn::Set(D(), c);
  const auto least = hn::Set(D(), kLeast);
  Map(x, out, [&](V v) HWY_ATTR { return hn::Max(hn::Sub(v, all), least); });
}

void Multiply(Output x, Input y) {
  MapTwo(x, y, x, [](V a, V b) HWY_ATTR { return hn::Mul(a, b); });
}

void AddScaled(Output x, float c, Input y) {
  const auto all = hn::Set(D(), c);
  MapTwo(x, y, x, [&](V a, V b) HWY_ATTR { return hn::MulAdd(all, b, a); });
}

using D16 = hn::Rebind<std::uint16_t, D>;
using V16 = hn::Vec<D16>;

HWY_INLINE V WidenBf16(V16 bits) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(D(), hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
}

/// To nearest even by an addition to the bits; NaN, which would run over, becomes the quiet one.
HWY_INLINE V16 NarrowToBf16(V v) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFF)));
  const auto quiet = hn::Set(du, 0x7FC00000);
  const auto kept = hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(v)), quiet, rounded);
  return hn::DemoteTo(D16(), hn::BitCast(di, hn::ShiftRight<16>(kept)));
}

#if VPARITY_BASELINES_NATIVE_FP16
HWY_INLINE V WidenFp16(V16 bits) {
  return hn::PromoteTo(D(), hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
}

HWY_INLINE V16 NarrowToFp16(V v) {
  return hn::BitCast(D16(), hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
}
#endif

/// Whole vectors of 16-bit elements; returns how many elements were widened.
template <class Op>
HWY_INLINE std::size_t WidenVectors(const std::byte* from, Output to, const Op& op) {
  const auto* const bits = reinterpret_cast<const std::uint16_t*>(from);
  std::size_t i = 0;
  for (; i + hn::Lanes(D()) <= to.size(); i += hn::Lanes(D())) {
    hn::StoreU(op(hn::LoadU(D16(), bits + i)), D(), &to[i]);
  }
  return i;
}

template <class Op>
HWY_INLINE std::size_t NarrowVectors(Input from, std::byte* to, const Op& op) {
  auto* const bits = reinterpret_cast<std::uint16_t*>(to);
  std::size_t i = 0;
  for (; i + hn::Lanes(D()) <= from.size(); i += hn::Lanes(D())) {
    hn::StoreU(op(hn::LoadU(D(), &from[i])), D16(), bits + i);
  }
  return i;
}

/// 16-bit elements in memory aligned to them, as many as this instruction set can do.
std::size_t Widen16([[maybe_unused]] DType dtype, const std::byte* from, Output to) {
#if VPARITY_BASELINES_NATIVE_FP16
  if (dtype == DType::fp16) {
    return WidenVectors(from, to, [](V16 bits) HWY_ATTR { return WidenFp16(bits); });
  }
#endif
  if (dtype != DType::bf16) return 0;
  return WidenVectors(from, to, [](V16 bits) HWY_ATTR { return WidenBf16(bits); });
}

std::size_t Narrow16(DType dtype, Input from, std::byte* to) {
#if VPARITY_BASELINES_NATIVE_FP16
  if (dtype == DType::fp16) {
    return NarrowVectors(from, to, [](V v) HWY_ATTR { return NarrowToFp16(v); });
  }
#endif
  if (dtype != DType::bf16) return 0;
  return NarrowVectors(from, to, [](V v) HWY_ATTR { return NarrowToBf16(v); });
}

}  // namespace vparity::harness::baselines::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace vparity::harness::baselines {

HWY_EXPORT(Maximum);
HWY_EXPORT(Sum);
HWY_EXPORT(SumOfProducts);
HWY_EXPORT(Subtract);
HWY_EXPORT(Divide);
HWY_EXPORT(Exponentials);
HWY_EXPORT(Scaled);
HWY_EXPORT(FiniteDifferences);
HWY_EXPORT(Multiply);
HWY_EXPORT(AddScaled);
HWY_EXPORT(Widen16);
HWY_EXPORT(Narrow16);

float maximum(std::span<const float> x) { return HWY_DYNAMIC_DISPATCH(Maximum)(x); }

float sum(std::span<const float> x) { return HWY_DYNAMIC_DISPATCH(Sum)(x); }

float sum_of_products(std::span<const float> p, std::span<const float> z) {
  return HWY_DYNAMIC_DISPATCH(SumOfProducts)(p, z);
}

void subtract(std::span<float> x, float c) { HWY_DYNAMIC_DISPATCH(Subtract)(x, c); }

void divide(std::span<float> x, float c) { HWY_DYNAMIC_DISPATCH(Divide)(x, c); }

void exponentials(std::span<const float> x, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(Exponentials)(x, out);
}

void scaled(std::span<const float> x, float c, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(Scaled)(x, c, out);
}

void finite_differences(std::span<const float> x, float c, std::span<float> out) {
  HWY_DYNAMIC_DISPATCH(FiniteDifferences)(x, c, out);
}

void multiply(std::span<float> x, std::span<const float> y) {
  HWY_DYNAMIC_DISPATCH(Multiply)(x, y);
}

void add_scaled(std::span<float> x, float c, std::span<const float> y) {
  HWY_DYNAMIC_DISPATCH(AddScaled)(x, c, y);
}

namespace {

bool vectorisable(DType dtype, const void* memory) {
  return dtype != DType::fp32 && reinterpret_cast<std::uintptr_t>(memory) % size_of(dtype) == 0;
}

}  // namespace

void widen(DType dtype, const std::byte* from, std::span<float> to) {
  const std::size_t done =
      vectorisable(dtype, from) ? HWY_DYNAMIC_DISPATCH(Widen16)(dtype, from, to) : 0;
  decode(dtype, from + done * size_of(dtype), to.subspan(done));
}

void narrow(DType dtype, std::span<const float> from, std::byte* to) {
  const std::size_t done =
      vectorisable(dtype, to) ? HWY_DYNAMIC_DISPATCH(Narrow16)(dtype, from, to) : 0;
  std::byte* const rest = to + done * size_of(dtype);
  if (dtype == DType::fp32) return encode(dtype, from, rest);
  std::vector<float> stored(from.begin() + static_cast<std::ptrdiff_t>(done), from.end());
  round_to(dtype, stored);
  encode(dtype, stored, rest);
}

}  // namespace vparity::harness::baselines

#endif  // HWY_ONCE
