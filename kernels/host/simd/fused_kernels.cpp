// Compiles the fused pass once per instruction set and calls the best one that the processor has.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/simd/fused_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which has to see Highway's headers first.
#include <hwy/highway.h>

#include "host/simd/fused-inl.h"
#include "host/simd/fused_kernels.h"

#if HWY_ONCE

namespace vparity::cpu {

HWY_EXPORT(ForwardAndBackwardRows);

void forward_and_backward_rows(const VocabShard& next, const Transform& transform,
                               std::span<Partial<RowSums>> sums, const SummedRows& before,
                               KeptTerms& kept) {
  HWY_DYNAMIC_DISPATCH(ForwardAndBackwardRows)(next, transform, sums, before, kept);
}

}  // namespace vparity::cpu

#endif  // HWY_ONCE
