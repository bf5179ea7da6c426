// e^x in fp32 lanes for x <= 0, which is all that centred logits need. Included once per target.
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

/// x, but no smaller than where `Exp` has reached +0; NaN stays NaN. Sums multiply e^x by the
/// clamped x, so that a term whose e^x is 0 adds 0 and not 0 * -inf.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ClampToExpDomain(D d, V x) {
  const V lowest = hn::Set(d, -88.0F);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(lowest, x);  // MAXPS gives its second operand if one is NaN
#else
  return hn::IfThenElse(hn::Lt(x, lowest), lowest, x);
#endif
}

/// e^x for a clamped x <= 0: within 2 ulp, e^0 == 1 exactly, +0 where e^x < 2^-126.5.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  // x = n ln 2 + r. Adding 1.5 * 2^23 rounds to an integer and leaves n + 127, the biased exponent
  // of 2^n, in the low bits of the sum; for n = -127 the shift below gives 0 instead of 2^n.
  const V round = hn::Set(d, 12582912.0F + 127.0F);
  const V biased = hn::MulAdd(x, hn::Set(d, 1.44269504F), round);
  const V n = hn::Sub(biased, round);
  const V two_to_n = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(du, biased)));
  // ln 2 in two parts (Cody and Waite); the high one has 9 bits, so that n times it is exact even
  // where MulAdd rounds twice.
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375F), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4F), r);
  // 1 + r + r^2 q(r), q the minimax polynomial of degree 4 on |r| <= ln 2 / 2: relative error
  // 3.6e-9 with these rounded coefficients.
  V p = hn::MulAdd(r, hn::Set(d, 0.00138145383F), hn::Set(d, 0.00836874545F));
  p = hn::MulAdd(r, p, hn::Set(d, 0.041668389F));
  p = hn::MulAdd(r, p, hn::Set(d, 0.166665211F));
  p = hn::MulAdd(r, p, hn::Set(d, 0.49999994F));
  p = hn::MulAdd(r, p, hn::Set(d, 1.0F));
  p = hn::MulAdd(r, p, hn::Set(d, 1.0F));
  return hn::Mul(p, two_to_n);
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_EXP_INL_H_
