// f(x) = c tanh(x / c) and its slope with the same bits on every target. Included once per target.
#if defined(VPARITY_CPU_REPRODUCIBLE_SOFTCAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_REPRODUCIBLE_SOFTCAP_INL_H_
#undef VPARITY_CPU_REPRODUCIBLE_SOFTCAP_INL_H_
#else
#define VPARITY_CPU_REPRODUCIBLE_SOFTCAP_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>

#include "host/simd/vector_arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What SoftcapBlock does.
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

#endif  // VPARITY_CPU_REPRODUCIBLE_SOFTCAP_INL_H_
