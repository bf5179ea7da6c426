// f(x) = c tanh(x / c) and its slope, in mode `reproducible` with the same bits on every target.
// Included once per target.
#if defined(VPARITY_CPU_SOFTCAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_SOFTCAP_INL_H_
#undef VPARITY_CPU_SOFTCAP_INL_H_
#else
#define VPARITY_CPU_SOFTCAP_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#include "host/simd/vector_arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// e^w - 1 for 0 <= w <= 700 in fp64 lanes, relative error below 2^-30: enough for a result that is
/// rounded to fp32.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Expm1(D d, V w) {
  const hn::RebindToUnsigned<D> du;
  // w = n ln 2 + r, as in Exp.
  const V round = hn::Set(d, 6755399441055744.0 + 1023.0);
  const V biased = hn::MulAdd(w, hn::Set(d, 1.4426950408889634), round);
  const V n = hn::Sub(biased, round);
  const V two_to_n = hn::BitCast(d, hn::ShiftLeft<52>(hn::BitCast(du, biased)));
  const V r = hn::NegMulAdd(n, hn::Set(d, 0.6931471805599453), w);
  // e^r - 1 = r q(r), q = 1 + r / 2! + ... + r^7 / 8!, |r| <= ln 2 / 2: the first term left out is
  // below 2^-30 of the sum. Evaluated in pairs (Estrin), for the latency of a Horner chain in
  // double would be most of this function's time.
  const V r2 = hn::Mul(r, r);
  const V q01 = hn::MulAdd(r, hn::Set(d, 1.0 / 2), hn::Set(d, 1.0));
  const V q23 = hn::MulAdd(r, hn::Set(d, 1.0 / 24), hn::Set(d, 1.0 / 6));
  const V q45 = hn::MulAdd(r, hn::Set(d, 1.0 / 720), hn::Set(d, 1.0 / 120));
  const V q67 = hn::MulAdd(r, hn::Set(d, 1.0 / 40320), hn::Set(d, 1.0 / 5040));
  const V q = hn::MulAdd(hn::Mul(r2, r2), hn::MulAdd(r2, q67, q45), hn::MulAdd(r2, q23, q01));
  return hn::MulAdd(two_to_n, hn::Mul(r, q), hn::Sub(two_to_n, hn::Set(d, 1.0)));
}

/// f of `padded` floats, and f' if `slope` is not null (both vector-aligned). Infinities and NaN
/// pass unchanged: masks are decided on the stored value, which a finite cap would hide.
///
/// In double, because z's error bound leaves 2 u |f| for all of f (semantics 7), less than the
/// three roundings of x / c, tanh and c * tanh in fp32 need.
inline void SoftcapBlock(const float* x, std::size_t padded, float softcap, float* f,
                         float* slope) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto one = hn::Set(d, 1.0);
  const auto c = hn::Set(d, static_cast<double>(softcap));
  const auto reciprocal = hn::Set(d, 1.0 / softcap);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto stored = hn::Load(df, x + i);
    const auto y = hn::Mul(hn::PromoteTo(d, stored), reciprocal);
    // tanh |y| = m / (m + 2) with m = e^(2 |y|) - 1. At the clamp the slope is 0 in fp32, as it
    // must be: the gradient of saturated columns is 0, not a small number.
    const auto m = Expm1(d, hn::Min(hn::Abs(hn::Add(y, y)), hn::Set(d, 700.0)));
    const auto half_complement = hn::Div(one, hn::Add(m, hn::Set(d, 2.0)));  // (1 - tanh |y|) / 2
    const auto tanh = hn::Mul(m, half_complement);
    const auto capped = hn::DemoteTo(df, hn::Mul(c, hn::CopySignToAbs(tanh, y)));
    const auto finite = hn::Lt(hn::Abs(stored), hn::Set(df, HUGE_VALF));
    hn::Store(hn::IfThenElse(finite, capped, stored), df, f + i);
    if (slope != nullptr) {  // 1 - tanh^2 without its cancellation
      const auto complement = hn::Add(half_complement, half_complement);
      hn::Store(hn::DemoteTo(df, hn::Mul(complement, hn::Add(one, tanh))), df, slope + i);
    }
  }
}

/// SoftcapBlock by the functions of `reproducible`.
inline void ReproducibleSoftcapBlock(const float* x, std::size_t padded, float softcap, float* f,
                                     float* slope) {
  const VectorDoubles::D d;
  const hn::Rebind<float, VectorDoubles::D> df;
  const auto c = hn::Set(d, static_cast<double>(softcap));
  const auto reciprocal = hn::Set(d, 1.0 / softcap);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto stored = hn::Load(df, x + i);
    const auto capped = elementary::softcap<VectorDoubles>(hn::PromoteTo(d, stored), c, reciprocal);
    const auto finite = hn::Lt(hn::Abs(stored), hn::Set(df, HUGE_VALF));
    hn::Store(hn::IfThenElse(finite, hn::DemoteTo(df, capped.value), stored), df, f + i);
    if (slope != nullptr) hn::Store(hn::DemoteTo(df, capped.slope), df, slope + i);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_SOFTCAP_INL_H_
