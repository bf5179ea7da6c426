// Compiles the fused pass once per instruction set, and calls that of the best set of the
// processor.
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
                               std::span<Partial<RowSums>> sums, const PreviousRows& previous,
                               Exponentials& exponentials) {
  HWY_DYNAMIC_DISPATCH(ForwardAndBackwardRows)(next, transform, sums, previous, exponentials);
}

}  // namespace vparity::cpu

#endif  // HWY_ONCE
