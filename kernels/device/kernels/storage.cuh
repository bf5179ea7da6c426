// Loads and stores of elements, sixteen bytes or one element at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#if !defined(__CUDACC__)
#include <stdexcept>
#endif

#include "device/kernels/language.cuh"
#include "vparity/dtype.h"

namespace vparity::cuda {

inline constexpr std::size_t group_bytes = 16;  ///< of one load or store

__device__ inline bool at_group(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % group_bytes == 0;
}

#if defined(__CUDACC__)

__device__ inline uint4 load_group(const std::byte* at) {
  return *reinterpret_cast<const uint4*>(at);
}
__device__ inline void store_group(std::byte* at, uint4 group) {
  *reinterpret_cast<uint4*>(at) = group;
}
template <class T>
__device__ T load_one(const std::byte* at) {
  return *reinterpret_cast<const T*>(at);
}
template <class T>
__device__ void store_one(std::byte* at, T value) {
  *reinterpret_cast<T*>(at) = value;
}

/// Two floats to bf16 or fp16, ties to even; NaN becomes 7fff.
__device__ inline std::uint32_t to_bf16_pair(float low, float high) {
  std::uint32_t pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
__device__ inline std::uint32_t to_fp16_pair(float low, float high) {
  std::uint32_t pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
__device__ inline float from_fp16(std::uint16_t bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

#else

// A device refuses an address that is not a multiple of the size of the load.
inline const std::byte* checked(const std::byte* at, std::size_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(at) % bytes != 0)
    throw std::logic_error("misaligned address in a load or store of a kernel");
  return at;
}
template <class T>
T load_one(const std::byte* at) {
  T value;
  std::memcpy(&value, checked(at, sizeof value), sizeof value);
  return value;
}
template <class T>
void store_one(std::byte* at, T value) {
  checked(at, sizeof value);
  std::memcpy(at, &value, sizeof value);
}
inline uint4 load_group(const std::byte* at) { return load_one<uint4>(at); }
inline void store_group(std::byte* at, uint4 group) { store_one(at, group); }

inline std::uint32_t to_bf16(float value) {
  if (value != value) return 0x7FFF;
  const std::uint32_t bits = __float_as_uint(value);
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}
inline std::uint32_t to_fp16(float value) {
  if (value != value) return 0x7FFF;
  const std::uint32_t bits = __float_as_uint(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const float magnitude = __uint_as_float(bits & 0x7FFFFFFF);
  if (magnitude >= 65520.0F) return sign | 0x7C00;
  // Subnormals are multiples of 2^-24.
  if (magnitude < 0x1p-14F) return sign | static_cast<std::uint32_t>(rintf(magnitude * 0x1p24F));
  const std::uint32_t rounded = (bits & 0x7FFFFFFF) + 0xFFF + (bits >> 13 & 1);
  return sign | ((rounded >> 13) - (112 << 10));
}
inline std::uint32_t to_bf16_pair(float low, float high) {
  return to_bf16(low) | to_bf16(high) << 16;
}
inline std::uint32_t to_fp16_pair(float low, float high) {
  return to_fp16(low) | to_fp16(high) << 16;
}
inline float from_fp16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16;
  const std::uint32_t magnitude = bits & 0x7FFFU;
  if (magnitude < 0x400) {
    const float value = static_cast<float>(magnitude) * 0x1p-24F;
    return __uint_as_float(sign | __float_as_uint(value));
  }
  if (magnitude >= 0x7C00) return __uint_as_float(sign | 0x7F800000U | (magnitude & 0x3FFU) << 13);
  return __uint_as_float(sign | ((112U << 23) + (magnitude << 13)));
}

#endif

/// Elements of one storage type. decode and encode take the `group` elements of sixteen bytes.
template <DType kType>
struct Storage;

template <>
struct Storage<DType::fp32> {
  using Element = float;
  static constexpr int group = 4;

  __device__ static void decode(const uint4& raw, float* x) {
    x[0] = __uint_as_float(raw.x);
    x[1] = __uint_as_float(raw.y);
    x[2] = __uint_as_float(raw.z);
    x[3] = __uint_as_float(raw.w);
  }
  __device__ static uint4 encode(const float* x) {
    return {__float_as_uint(x[0]), __float_as_uint(x[1]), __float_as_uint(x[2]),
            __float_as_uint(x[3])};
  }
  __device__ static float widen(float stored) { return stored; }
  __device__ static float narrow(float value) { return value; }
  __device__ static float canonical(float value) {
    return value != value ? __uint_as_float(0x7FC00000) : value + 0.0F;
  }
  __device__ static uint4 canonical(const uint4& raw) {
    float x[group];
    decode(raw, x);
    for (float& one : x) one = canonical(one);
    return encode(x);
  }
};

/// Elements of 16 bits, two per 32-bit word. `Format` has widen(bits), narrow_pair(low, high), and
/// the bits of infinity and of the NaN of semantics 6.
template <class Format>
struct Storage16 {
  using Element = std::uint16_t;
  static constexpr int group = 8;

  __device__ static void decode(const uint4& raw, float* x) {
    decode_pair(raw.x, x);
    decode_pair(raw.y, x + 2);
    decode_pair(raw.z, x + 4);
    decode_pair(raw.w, x + 6);
  }
  __device__ static uint4 encode(const float* x) {
    return {Format::narrow_pair(x[0], x[1]), Format::narrow_pair(x[2], x[3]),
            Format::narrow_pair(x[4], x[5]), Format::narrow_pair(x[6], x[7])};
  }
  __device__ static float widen(Element stored) { return Format::widen(stored); }
  __device__ static Element narrow(float value) {
    return static_cast<Element>(Format::narrow_pair(value, 0));
  }
  __device__ static Element canonical(Element bits) {
    if ((bits & 0x7FFF) > Format::infinity) return Format::nan;
    return bits == 0x8000 ? 0 : bits;
  }
  __device__ static uint4 canonical(const uint4& raw) {
    return {canonical_pair(raw.x), canonical_pair(raw.y), canonical_pair(raw.z),
            canonical_pair(raw.w)};
  }

 private:
  __device__ static void decode_pair(std::uint32_t pair, float* x) {
    x[0] = Format::widen(static_cast<Element>(pair));
    x[1] = Format::widen(static_cast<Element>(pair >> 16));
  }
  __device__ static std::uint32_t canonical_pair(std::uint32_t pair) {
    const std::uint32_t low = canonical(static_cast<Element>(pair));
    const std::uint32_t high = canonical(static_cast<Element>(pair >> 16));
    return low | high << 16;
  }
};

struct Bf16 {
  static constexpr std::uint16_t infinity = 0x7F80, nan = 0x7FC0;
  __device__ static float widen(std::uint16_t bits) {
    return __uint_as_float(static_cast<std::uint32_t>(bits) << 16);
  }
  __device__ static std::uint32_t narrow_pair(float low, float high) {
    return to_bf16_pair(low, high);
  }
};

struct Fp16 {
  static constexpr std::uint16_t infinity = 0x7C00, nan = 0x7E00;
  __device__ static float widen(std::uint16_t bits) { return from_fp16(bits); }
  __device__ static std::uint32_t narrow_pair(float low, float high) {
    return to_fp16_pair(low, high);
  }
};

template <>
struct Storage<DType::bf16> : Storage16<Bf16> {};
template <>
struct Storage<DType::fp16> : Storage16<Fp16> {};

/// Loads one element as a number.
template <DType kType>
__device__ float load_element(const std::byte* at) {
  using S = Storage<kType>;
  return S::widen(load_one<typename S::Element>(at));
}

/// Stores one number, rounded; if `kCanonical`, with the NaN and the zero of semantics 6.
template <DType kType, bool kCanonical = true>
__device__ void store_element(std::byte* at, float value) {
  using S = Storage<kType>;
  const typename S::Element element = S::narrow(value);
  store_one<typename S::Element>(at, kCanonical ? S::canonical(element) : element);
}

}  // namespace vparity::cuda
