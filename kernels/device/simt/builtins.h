// CUDA's built-in types and variables: small vectors, dim3, and which thread of which block runs.
#pragma once

namespace vparity::simt::language {

struct alignas(8) uint2 {
  unsigned x, y;
};
struct uint3 {
  unsigned x, y, z;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};

inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned in_x = 1, unsigned in_y = 1, unsigned in_z = 1)
      : x(in_x), y(in_y), z(in_z) {}
};

// Set before each switch to a fiber.
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
