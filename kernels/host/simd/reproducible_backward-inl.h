// The gradient of a row in mode `reproducible`. Included once per target.
#if defined(VPARITY_CPU_REPRODUCIBLE_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_REPRODUCIBLE_BACKWARD_INL_H_
#undef VPARITY_CPU_REPRODUCIBLE_BACKWARD_INL_H_
#else
#define VPARITY_CPU_REPRODUCIBLE_BACKWARD_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#include "host/simd/backward-inl.h"
#include "host/simd/row_kernels.h"
#include "host/simd/softcap-inl.h"
#include "host/simd/vector_arithmetic-inl.h"
#include "row/gradient.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// ReproducibleDifferential::Canonical for numbers that are already rounded to 16 bits.
template <bool kNan>
struct CanonicalBits16 {
  static constexpr bool kMayBeNan = kNan;

  template <DType kType, class D16>
  static HWY_INLINE hn::Vec<D16> Finished(D16 d, hn::Vec<D16> bits) {
    if constexpr (kType == DType::fp16 && kNan) {  // bf16 is rounded so
      const hn::RebindToSigned<D16> di;
      const auto magnitude = hn::BitCast(di, hn::And(bits, hn::Set(d, 0x7FFF)));
      const auto nan = hn::RebindMask(d, hn::Gt(magnitude, hn::Set(di, 0x7C00)));
      bits = hn::IfThenElse(nan, hn::Set(d, 0x7E00), bits);
    }
    return hn::IfThenZeroElse(hn::Eq(bits, hn::Set(d, 0x8000)), bits);
  }
};

/// Differential with the same bits on every target. Mode `reproducible` has no label smoothing.
template <bool kDivide, Coefficients kCoefficients>
class ReproducibleDifferential {
 public:
  using D = hn::ScalableTag<float>;
  using V = hn::Vec<D>;
  using CanonicalBits = CanonicalBits16<kCoefficients != Coefficients::plain>;

  static ScaledCoefficients CoefficientsOf(const RowGradient& row, float temperature) {
    return exponential_coefficients(row, temperature, true);
  }

  HWY_INLINE ReproducibleDifferential(const RowGradient& row,
                                      const ScaledCoefficients& coefficients, float temperature)
      : max_(hn::Set(D(), row.max)),
        a_(hn::Set(D(), coefficients.a)),
        b_(hn::Set(D(), coefficients.b)),
        scale0_(hn::Set(D(), coefficients.scale[0])),
        scale1_(hn::Set(D(), coefficients.scale[1])),
        temperature_(hn::Set(D(), temperature)) {}

  HWY_INLINE V operator()(V x) const { return Scaled(ByCapped(hn::Sub(x, max_))); }
  HWY_INLINE V operator()(V f, V slope) const {
    // Two logits that the softcap makes nearly equal may come out in the other order.
    return Scaled(hn::Mul(ByCapped(hn::Min(hn::Sub(f, max_), hn::Zero(D()))), slope));
  }

  static HWY_INLINE void Softcap(const float* x, std::size_t padded, float softcap, float* f,
                                 float* slope) {
    ReproducibleSoftcapBlock(x, padded, softcap, f, slope);
  }

  /// The NaN of semantics 6; +0 for numbers that the storage type rounds to zero.
  template <DType kType>
  static HWY_INLINE V Canonical(V g) {
    const D d;
    if constexpr (kType == DType::fp32) g = hn::Add(g, hn::Zero(d));
    if constexpr (kType == DType::bf16) g = ZeroIfBelow(g, 0x1p-134F);
    if constexpr (kType == DType::fp16) g = ZeroIfBelow(g, 0x1p-25F);
    if constexpr (!CanonicalBits::kMayBeNan) return g;
    const auto nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), 0x7FC00000U));
    return hn::IfThenElse(hn::IsNaN(g), nan, g);
  }

 private:
  static HWY_INLINE V ZeroIfBelow(V g, float limit) {
    return hn::IfThenZeroElse(hn::Le(hn::Abs(g), hn::Set(D(), limit)), g);
  }

  HWY_INLINE V ByCapped(V z) const {
    const D d;
    if constexpr (kDivide) z = hn::Div(z, temperature_);
    // Below the cut-off of elementary::exp, p = 0. The product is selected, because an infinite
    // upstream gradient makes A infinite; results outside the domain are not selected.
    return VectorFloats::if_at_least(
        z, hn::Set(d, elementary::kExpCutOff),
        hn::Mul(elementary::exp_in_range<VectorFloats>(z), VectorFloats::fma(b_, z, a_)));
  }

  HWY_INLINE V Scaled(V g) const {
    if constexpr (kCoefficients != Coefficients::with_factor) return g;
    return hn::Mul(hn::Mul(g, scale0_), scale1_);
  }

  V max_, a_, b_, scale0_, scale1_, temperature_;
};

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_REPRODUCIBLE_BACKWARD_INL_H_
