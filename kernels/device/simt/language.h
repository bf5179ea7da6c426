// CUDA's functions, types and keywords for kernel bodies that are compiled for the CPU and started
// by simt::launch().
#pragma once

#include "device/simt/builtins.h"
#include "device/simt/collectives.h"
#include "device/simt/memory_access.h"
#include "device/simt/numbers.h"
#include "device/simt/shared_memory.h"

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
