// Blocks of stored logits to fp32 and back: bf16 and fp16 as bit patterns, at any alignment.
// Included once per target.
#if defined(VPARITY_CPU_STORAGE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VPARITY_CPU_STORAGE_INL_H_
#undef VPARITY_CPU_STORAGE_INL_H_
#else
#define VPARITY_CPU_STORAGE_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vparity/dtype.h"

// Whether there are instructions between fp16 and fp32 that round to nearest even and handle
// subnormals, infinities and NaN. Highway 1.0.3 emulates the widening elsewhere, but takes
// infinities for finite numbers.
#undef VPARITY_CPU_NATIVE_FP16
#if HWY_ARCH_X86 && (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)
#define VPARITY_CPU_NATIVE_FP16 1
#else
#define VPARITY_CPU_NATIVE_FP16 0
#endif

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kCacheLine = 64;  // also the largest vector

// Rows may start at any byte, so vectors are loaded and stored as bytes: a pointer to a wider type
// would have to be aligned to it.
template <class D>
HWY_INLINE hn::Vec<D> LoadBytes(D d, const std::byte* from) {
#if HWY_TARGET == HWY_SCALAR  // its byte vectors hold one byte
  hn::TFromD<D> lane;
  std::memcpy(&lane, from, sizeof lane);
  return hn::Set(d, lane);
#else
  const hn::Repartition<std::uint8_t, D> bytes;
  return hn::BitCast(d, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(from)));
#endif
}

template <class D>
HWY_INLINE void StoreBytes([[maybe_unused]] D d, hn::Vec<D> v, std::byte* to) {
#if HWY_TARGET == HWY_SCALAR
  const hn::TFromD<D> lane = hn::GetLane(v);
  std::memcpy(to, &lane, sizeof lane);
#else
  const hn::Repartition<std::uint8_t, D> bytes;
  hn::StoreU(hn::BitCast(bytes, v), bytes, reinterpret_cast<std::uint8_t*>(to));
#endif
}

template <class D>
using Bits16 = hn::Vec<hn::Rebind<std::uint16_t, D>>;

template <class D>
HWY_INLINE hn::Vec<D> WidenBf16(D d, Bits16<D> bits) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
}

#if VPARITY_CPU_NATIVE_FP16
template <class D>
HWY_INLINE hn::Vec<D> WidenFp16(D d, Bits16<D> bits) {
  return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
}

template <class D>
HWY_INLINE Bits16<D> NarrowToFp16(D d, hn::Vec<D> v) {
  const hn::Rebind<std::uint16_t, D> d16;
  return hn::BitCast(d16, hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
}
#endif

/// The low halves of lanes that hold at most 0xFFFF.
template <class D>
HWY_INLINE Bits16<D> LowHalves(D, hn::Vec<hn::RebindToUnsigned<D>> bits) {
  const hn::RebindToSigned<D> di;
  return hn::DemoteTo(hn::Rebind<std::uint16_t, D>(), hn::BitCast(di, bits));
}

/// A bf16 in the upper half of every lane; the lower half is undefined. Rounds to nearest even by
/// an addition to the bits, whose carry is right up to infinity. NaN would overflow, so it is
/// replaced by the canonical quiet NaN if kMayBeNan.
template <bool kMayBeNan = true, class D, class DU = hn::RebindToUnsigned<D>>
HWY_INLINE hn::Vec<DU> RoundToBf16(D, hn::Vec<D> v) {
  const DU du;
  const auto bits = hn::BitCast(du, v);
#if HWY_ARCH_X86 && HWY_TARGET == HWY_AVX3  // a test of a bit and a blend are one operation each
  const auto half = hn::IfThenElse(hn::TestBit(bits, hn::Set(du, 0x10000)), hn::Set(du, 0x8000),
                                   hn::Set(du, 0x7FFF));
  const auto rounded = hn::Add(bits, half);
#else
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
  const auto rounded = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7FFF)));
#endif
  if constexpr (!kMayBeNan) return rounded;
  return hn::IfThenElse(hn::RebindMask(du, hn::IsNaN(v)), hn::Set(du, 0x7FC00000), rounded);
}

template <class D>
HWY_INLINE Bits16<D> NarrowToBf16(D d, hn::Vec<D> v) {
  return LowHalves(d, hn::ShiftRight<16>(RoundToBf16(d, v)));
}

#if !VPARITY_CPU_NATIVE_FP16
/// fp16 has 5 bits of exponent (bias 15) and 10 of mantissa.
template <class D>
HWY_INLINE hn::Vec<D> WidenFp16(D d, Bits16<D> bits16) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::PromoteTo(du, bits16);
  const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000)));
  const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7FFF)));
  const auto exponent = hn::And(magnitude, hn::Set(du, 0x1FU << 23));
  const auto rebiased = hn::Add(magnitude, hn::Set(du, (127U - 15) << 23));
  const auto infinite_or_nan = hn::Or(magnitude, hn::Set(du, 0xFFU << 23));
  // 0.m 2^-14 = 1.m 2^-14 - 2^-14, a subtraction of normal numbers, exact also where the processor
  // is set to flush subnormals.
  const auto implicit_one = hn::Set(du, (127U - 14) << 23);
  const auto subnormal = hn::BitCast(
      du, hn::Sub(hn::BitCast(d, hn::Add(magnitude, implicit_one)), hn::BitCast(d, implicit_one)));
  auto wide = hn::IfThenElse(hn::Eq(exponent, hn::Set(du, 0x1FU << 23)), infinite_or_nan, rebiased);
  wide = hn::IfThenElse(hn::Eq(exponent, hn::Zero(du)), subnormal, wide);
  return hn::BitCast(d, hn::Or(wide, sign));
}

template <class D>
HWY_INLINE Bits16<D> NarrowToFp16(D d, hn::Vec<D> v) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;  // magnitudes compare as signed numbers, which is cheaper
  const auto bits = hn::BitCast(du, v);
  const auto sign = hn::And(bits, hn::Set(du, 0x80000000U));
  const auto magnitude = hn::Xor(bits, sign);
  const auto compared = hn::BitCast(di, magnitude);
  // Normal: rebias, round to nearest even; a carry out of the largest exponent is infinity.
  const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 1));
  const auto rebias = hn::Set(du, 0xFFFU - ((127U - 15) << 23));
  const auto normal = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, rebias), odd));
  // Below 2^-14: adding 0.5 lets the adder round to the subnormals' grid of 2^-24.
  const auto half = hn::Set(d, 0.5F);
  const auto subnormal =
      hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(d, magnitude), half)), hn::BitCast(du, half));
  const auto is_subnormal = hn::Lt(compared, hn::Set(di, (127 - 14) << 23));
  const auto is_huge = hn::Gt(compared, hn::Set(di, ((127 + 16) << 23) - 1));
  const auto is_nan = hn::Gt(compared, hn::Set(di, 0xFF << 23));
  auto narrow = hn::IfThenElse(hn::RebindMask(du, is_subnormal), subnormal, normal);
  narrow = hn::IfThenElse(hn::RebindMask(du, is_huge), hn::Set(du, 0x7C00), narrow);
  narrow = hn::IfThenElse(hn::RebindMask(du, is_nan), hn::Set(du, 0x7E00), narrow);
  return LowHalves(d, hn::Or(narrow, hn::ShiftRight<16>(sign)));
}
#endif  // !VPARITY_CPU_NATIVE_FP16

template <DType kType, class D>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const std::byte* from) {
  if constexpr (kType == DType::fp32) {
    return LoadBytes(d, from);
  } else {
    const auto bits = LoadBytes(hn::Rebind<std::uint16_t, D>(), from);
    if constexpr (kType == DType::bf16) return WidenBf16(d, bits);
    if constexpr (kType == DType::fp16) return WidenFp16(d, bits);
  }
}

/// How a vector is stored: through the cache, which first reads the line that it fills, or past it,
/// which needs an aligned address.
enum class Store { cached, streamed };

template <Store kStore, class D>
HWY_INLINE void StoreTo(D d, hn::Vec<D> v, std::byte* to) {
  if constexpr (kStore == Store::streamed) {
    hn::Stream(v, d, reinterpret_cast<hn::TFromD<D>*>(to));
  } else {
    StoreBytes(d, v, to);
  }
}

template <DType kType, Store kStore, class D>
HWY_INLINE void StoreRounded(D d, hn::Vec<D> v, std::byte* to) {
  const hn::Rebind<std::uint16_t, D> d16;
  if constexpr (kType == DType::fp32) StoreTo<kStore>(d, v, to);
  if constexpr (kType == DType::bf16) StoreTo<kStore>(d16, NarrowToBf16(d, v), to);
  if constexpr (kType == DType::fp16) StoreTo<kStore>(d16, NarrowToFp16(d, v), to);
}

template <class D>
struct Pair {
  hn::Vec<D> first, second;
};

template <DType kType, class D>
HWY_INLINE Pair<D> LoadInOrder(D d, const std::byte* from) {
  return {LoadAsFloat<kType>(d, from), LoadAsFloat<kType>(d, from + hn::Lanes(d) * size_of(kType))};
}

/// Two vectors of consecutive columns, in the order that is cheapest for the storage type: for bf16
/// the even columns, then the odd ones, with one instruction each.
template <DType kType, class D>
HWY_INLINE Pair<D> LoadPair(D d, const std::byte* from) {
  if constexpr (kType == DType::bf16) {
    const hn::RebindToUnsigned<D> du;
    const auto bits = LoadBytes(du, from);
    return {hn::BitCast(d, hn::ShiftLeft<16>(bits)),
            hn::BitCast(d, hn::And(bits, hn::Set(du, 0xFFFF0000U)))};
  } else {
    return LoadInOrder<kType>(d, from);
  }
}

/// A last step on the bits of rounded numbers before they are stored: none.
struct KeepBits {
  static constexpr bool kMayBeNan = true;
  template <DType kType, class D16>
  static HWY_INLINE hn::Vec<D16> Finished(D16, hn::Vec<D16> bits) {
    return bits;
  }
};

/// No last step, for numbers that are never NaN.
struct KeepBitsOfNumbers : KeepBits {
  static constexpr bool kMayBeNan = false;
};

/// Rounds and stores two vectors in the order of LoadPair of the same type. Only whole vectors can
/// be streamed. `Finish` is applied to the bits of 16-bit types, except on the scalar target.
template <DType kType, Store kStore, class Finish = KeepBits, class D>
HWY_INLINE void StorePair(D d, const Pair<D>& pair, std::byte* to) {
  if constexpr (kType == DType::bf16) {
    const hn::RebindToUnsigned<D> du;
    const auto odd =
        hn::And(RoundToBf16<Finish::kMayBeNan>(d, pair.second), hn::Set(du, 0xFFFF0000U));
    auto bits = hn::Or(hn::ShiftRight<16>(RoundToBf16<Finish::kMayBeNan>(d, pair.first)), odd);
#if HWY_TARGET != HWY_SCALAR
    const hn::Repartition<std::uint16_t, D> d16;
    bits = hn::BitCast(du, Finish::template Finished<kType>(d16, hn::BitCast(d16, bits)));
#endif
    StoreTo<kStore>(du, bits, to);
#if HWY_TARGET != HWY_SCALAR
  } else if constexpr (kType == DType::fp16) {
    const hn::Repartition<std::uint16_t, D> d16;
    const auto lower = NarrowToFp16(d, pair.first), upper = NarrowToFp16(d, pair.second);
    const auto bits = hn::Combine(d16, upper, lower);
    StoreTo<kStore>(d16, Finish::template Finished<kType>(d16, bits), to);
#endif
  } else {
    StoreRounded<kType, kStore>(d, pair.first, to);
    StoreRounded<kType, kStore>(d, pair.second, to + hn::Lanes(d) * size_of(kType));
  }
}

/// `count` columns rounded up to whole groups of `vectors` vectors.
template <class D>
HWY_INLINE std::size_t PaddedToVectors(D d, std::size_t count, std::size_t vectors) {
  const std::size_t group = vectors * hn::Lanes(d);
  return (count + group - 1) / group * group;
}

/// Prefetches columns [begin, end) while the block before them is computed. Blocks are read in
/// bursts that are too far apart for the processor's own prefetching. Nothing happens if begin >=
/// end.
template <DType kType>
HWY_INLINE void PrefetchColumns(const std::byte* row, std::size_t begin, std::size_t end) {
  const std::byte* const last = row + end * size_of(kType);
  const std::byte* from = row + begin * size_of(kType);
  for (; from < last; from += kCacheLine) hwy::Prefetch(from);
}

/// Offset of an address in its cache line.
HWY_INLINE std::size_t MisalignedBytes(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) % kCacheLine;
}

HWY_INLINE void PrefetchAt(const std::byte* from, std::uintptr_t distance) {
  hwy::Prefetch(
      reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(from) + distance));
}

/// Once per page of 4 KiB, if the next `bytes` are its first: prefetches from the page `distance`
/// ahead, so that its address translation is known in time. A store past the caches would wait for
/// the translation, and all instructions after it too.
HWY_INLINE void PrefetchPage(const std::byte* at, std::size_t bytes, std::uintptr_t distance) {
  constexpr std::uintptr_t page = 4096;
  if (reinterpret_cast<std::uintptr_t>(at) % page < bytes) PrefetchAt(at, distance);
}

/// Prefetches the `bytes` that lie some distance ahead of `from`, in its row or the next one. The
/// processor's own prefetching stops at every page of 4 KiB. An address without memory is ignored.
HWY_INLINE void PrefetchAhead(const std::byte* from, std::size_t bytes) {
  constexpr std::uintptr_t distance = 8192;  // measured; 4 to 16 KiB are alike
  PrefetchPage(from, bytes, 2 * distance);
  for (std::size_t i = 0; i < bytes; i += kCacheLine) PrefetchAt(from + i, distance);
}

/// `count` stored elements as floats. `to` (vector-aligned) is filled up to `padded` with -inf,
/// which changes no sum and no maximum. Nothing is read beyond `count`.
template <DType kType, class D>
HWY_INLINE void DecodeBlock(D d, const std::byte* from, std::size_t count, std::size_t padded,
                            float* HWY_RESTRICT to) {
  constexpr std::size_t size = size_of(kType);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::Store(LoadAsFloat<kType>(d, from + i * size), d, to + i);
  }
  if (i < count) {
    std::byte tail[hn::MaxLanes(d) * sizeof(float)] = {};
    std::memcpy(tail, from + i * size, (count - i) * size);
    hn::Store(LoadAsFloat<kType>(d, tail), d, to + i);
  }
  for (i = count; i < padded; ++i) to[i] = -HUGE_VALF;
}

/// The first `count` floats of `from` (vector-aligned, padded to whole vectors), rounded to the
/// storage type. Nothing is written beyond `count`.
template <DType kType, class D>
HWY_INLINE void EncodeBlock(D d, const float* HWY_RESTRICT from, std::size_t count, std::byte* to) {
  constexpr std::size_t size = size_of(kType);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    StoreRounded<kType, Store::cached>(d, hn::Load(d, from + i), to + i * size);
  }
  if (i < count) {
    std::byte tail[hn::MaxLanes(d) * sizeof(float)];
    StoreRounded<kType, Store::cached>(d, hn::Load(d, from + i), tail);
    std::memcpy(to + i * size, tail, (count - i) * size);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // VPARITY_CPU_STORAGE_INL_H_
