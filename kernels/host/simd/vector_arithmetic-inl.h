// The operations of reproducible/arithmetic.h on Highway's vectors, and the elementary functions on
// them. Included once per target.
#if defined(VPARITY_CPU_VECTOR_ARITHMETIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_VECTOR_ARITHMETIC_INL_H_
#undef VPARITY_CPU_VECTOR_ARITHMETIC_INL_H_
#else
#define VPARITY_CPU_VECTOR_ARITHMETIC_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Operations of both lane types. Highway rounds each of them separately.
template <class LaneTag>
struct VectorArithmetic {
  using D = LaneTag;
  using DU = hn::RebindToUnsigned<D>;
  using Value = hn::Vec<D>;
  using Bits = hn::Vec<DU>;

  static HWY_INLINE Value set(hn::TFromD<D> value) { return hn::Set(D(), value); }
  static HWY_INLINE Value add(Value a, Value b) { return hn::Add(a, b); }
  static HWY_INLINE Value sub(Value a, Value b) { return hn::Sub(a, b); }
  static HWY_INLINE Value mul(Value a, Value b) { return hn::Mul(a, b); }
  static HWY_INLINE Value div(Value a, Value b) { return hn::Div(a, b); }
  static HWY_INLINE Bits to_bits(Value a) { return hn::BitCast(DU(), a); }
  static HWY_INLINE Value from_bits(Bits a) { return hn::BitCast(D(), a); }
  template <int kBits>
  static HWY_INLINE Bits shift_left(Bits a) {
    return hn::ShiftLeft<kBits>(a);
  }
};

struct VectorFloats : VectorArithmetic<hn::ScalableTag<float>> {
#if HWY_NATIVE_FMA
  static HWY_INLINE Value fma(Value a, Value b, Value c) { return hn::MulAdd(a, b, c); }
#else
  /// Without such an instruction: one lane after the other by the C library, which is exact on any
  /// processor.
  static Value fma(Value a, Value b, Value c) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    HWY_ALIGN float x[lanes], y[lanes], z[lanes];
    hn::Store(a, D(), x);
    hn::Store(b, D(), y);
    hn::Store(c, D(), z);
    for (std::size_t i = 0; i < lanes; ++i) z[i] = std::fma(x[i], y[i], z[i]);
    return hn::Load(D(), z);
  }
#endif
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX3
  static HWY_INLINE Value times_power_of_two(Value a, Value n, Value) {
    return Value{_mm512_scalef_ps(a.raw, n.raw)};
  }
#else
  static HWY_INLINE Value times_power_of_two(Value a, Value, Value shifted) {
    return from_bits(hn::Add(to_bits(a), shift_left<23>(to_bits(shifted))));
  }
#endif
  static HWY_INLINE Value if_at_least(Value x, Value limit, Value a) {
    return hn::IfThenElseZero(hn::Ge(x, limit), a);
  }
};

struct VectorDoubles : VectorArithmetic<hn::ScalableTag<double>> {
  static HWY_INLINE Value min(Value a, Value b) { return hn::Min(a, b); }
  static HWY_INLINE Value abs(Value a) { return hn::Abs(a); }
  static HWY_INLINE Value with_sign_of(Value magnitude, Value sign) {
    return hn::CopySignToAbs(magnitude, sign);
  }
};

namespace elementary {
#define VPARITY_FUNCTION HWY_INLINE
#include "reproducible/elementary_functions-inl.h"
#undef VPARITY_FUNCTION
}  // namespace elementary

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_VECTOR_ARITHMETIC_INL_H_
