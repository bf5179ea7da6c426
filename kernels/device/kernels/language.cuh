// The CUDA functions and types that kernel bodies (.cuh) may use. nvcc compiles the bodies for
// devices, the C++ compiler for simt::launch(). Three names are the project's own:
//   VPARITY_SHARED(type, name, count)  static shared memory, an array `name` of `count` elements;
//   exp2_flushed(x)                    2^x, results below 2^-126 are +0; NaN stays NaN;
//   max_keeping_nan(a, b)              the larger, NaN if either is NaN.
// All are visible in namespace vparity.
#pragma once

#if defined(__CUDACC__)

#include <cuda_runtime.h>

#define VPARITY_SHARED(type, name, count) __shared__ type name[count]

namespace vparity {

/// Within 2 ulp.
__device__ __forceinline__ float exp2_flushed(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

__device__ __forceinline__ float max_keeping_nan(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

}  // namespace vparity

#else
#include "device/simt/language.h"
#endif
