// Which thread of which block runs: set before each switch to a fiber.
#pragma once

#include "device/simt/vector_types.h"

namespace vparity::simt::language {

constinit inline thread_local uint3 threadIdx{};
constinit inline thread_local uint3 blockIdx{};
constinit inline thread_local uint3 blockDim{};
constinit inline thread_local uint3 gridDim{};
inline constexpr int warpSize = 32;

}  // namespace vparity::simt::language

namespace vparity::simt {

/// The place of the running thread in its warp.
inline unsigned lane() {
  using namespace language;
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize;
}

}  // namespace vparity::simt
