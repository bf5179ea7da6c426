// e^x in fp32 lanes for x <= 0: centred logits are never larger. Included once per target.
#if defined(VPARITY_CPU_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_EXP_INL_H_
#undef VPARITY_CPU_EXP_INL_H_
#else
#define VPARITY_CPU_EXP_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether an instruction multiplies by a power of two and underflows as IEEE 754 says.
#undef VPARITY_CPU_NATIVE_SCALE
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX3
#define VPARITY_CPU_NATIVE_SCALE 1
#else
#define VPARITY_CPU_NATIVE_SCALE 0
#endif

/// x, clamped to where `Exp` has reached +0; NaN stays NaN. Sums multiply e^x by the clamped x, so
/// that a term whose e^x is 0 adds 0 and not 0 * -inf.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ClampToExpDomain(D d, V x) {
  const V lowest = hn::Set(d, VPARITY_CPU_NATIVE_SCALE ? -110.0F : -88.0F);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(lowest, x);  // MAXPS gives its second operand if one is NaN
#else
  return hn::IfThenElse(hn::Lt(x, lowest), lowest, x);
#endif
}

/// x - n ln 2.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ReduceByLn2(D d, V x, V n) {
#if HWY_NATIVE_FMA
  return hn::NegMulAdd(n, hn::Set(d, 0.69314718F), x);
#else  // in two parts (Cody and Waite); the high one has 9 bits, so that n times it is exact
  const V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375F), x);
  return hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), r);
#endif
}

/// e^x for a clamped x <= 0, e^0 == 1 exactly, +0 at the clamp: within 2.3 ulp and 2^-28 |x|, or
/// 2^-126. The part that grows with |x| comes from ln 2 in one fp32 number; the bounds have 2^-23
/// |x| for the rounding of x itself.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  // x = n ln 2 + r. Adding 1.5 * 2^23 rounds to an integer; with 127 more, the biased exponent of
  // 2^n stands in the low bits of the sum, and for n = -127 the shift below gives 0 instead of 2^n.
  const V round = hn::Set(d, 12582912.0F + (VPARITY_CPU_NATIVE_SCALE ? 0.0F : 127.0F));
  const V rounded = hn::MulAdd(x, hn::Set(d, 1.44269504F), round);
  const V n = hn::Sub(rounded, round);
  const V r = ReduceByLn2(d, x, n);
  // 1 + r + r^2 q(r), q the minimax polynomial of degree 3 on |r| <= ln 2 / 2: relative error
  // 1.05e-7 with these rounded coefficients, less than two roundings of the result.
  V p = hn::MulAdd(r, hn::Set(d, 0.00831252523F), hn::Set(d, 0.0418901145F));
  p = hn::MulAdd(r, p, hn::Set(d, 0.166671142F));
  p = hn::MulAdd(r, p, hn::Set(d, 0.499992311F));
  p = hn::MulAdd(r, p, hn::Set(d, 1.0F));
  p = hn::MulAdd(r, p, hn::Set(d, 1.0F));
#if VPARITY_CPU_NATIVE_SCALE
  return V{_mm512_scalef_ps(p.raw, n.raw)};
#else
  const hn::RebindToUnsigned<D> du;
  return hn::Mul(p, hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(du, rounded))));
#endif
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_EXP_INL_H_
