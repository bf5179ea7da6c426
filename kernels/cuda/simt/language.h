// CUDA's words for kernel bodies that are compiled for the CPU and started by simt::launch().
#pragma once

#include "cuda/simt/collectives.h"
#include "cuda/simt/indices.h"
#include "cuda/simt/memory_access.h"
#include "cuda/simt/numbers.h"
#include "cuda/simt/shared_memory.h"
#include "cuda/simt/vector_types.h"

// A kernel has internal linkage: nvcc gives the same name to the function that starts it on a
// device, and one program may hold both.
#define __global__ [[maybe_unused]] static
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

// In a namespace of their own, so that they are not taken for CUDA's own types of those names.
namespace vparity {
using namespace simt::language;
}
