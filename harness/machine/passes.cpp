// Compiles the passes once per instruction set and calls the best one that the processor has.
#include "harness/machine/passes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "harness/machine/passes.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which has to see Highway's headers first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace vparity::harness::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most 16 bytes, so that a step is one cache line: on a Zen 4, reads by vectors of 32 and 64
// bytes were measured to be slower by a tenth and a fifth, and copies equally fast. The narrower
// ones leave the processor's own prefetching time to run ahead.
using Words = hn::CappedTag<std::uint64_t, 2>;

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kVectors = 4;  // per step: as many sums, none of which waits for another

std::size_t StepBytes() { return kVectors * hn::Lanes(Words()) * sizeof(std::uint64_t); }

/// Memory may begin at any byte: loaded as bytes, because words would have to be aligned.
HWY_INLINE hn::Vec<Words> LoadWords(const std::byte* from) {
  const Words d;
#if HWY_TARGET == HWY_SCALAR  // its byte vectors hold one byte
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return hn::Set(d, word);
#else
  const hn::Repartition<std::uint8_t, Words> bytes;
  return hn::BitCast(d, hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(from)));
#endif
}

/// Once per page of 4 KiB, so that its translation is known when it is reached; the lines of a page
/// the processor asks for itself, and asking for each of them was measured to cost a Zen 4 a fifth.
/// An address without memory is ignored, so a pass may ask beyond its end.
HWY_INLINE void PrefetchPage(const std::byte* at, std::size_t distance, std::size_t bytes) {
  constexpr std::uintptr_t page = 4096;
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  if (address % page < bytes) hwy::Prefetch(reinterpret_cast<const std::byte*>(address + distance));
}

std::uint64_t SumOfTail(const std::byte* from, const std::byte* end) {
  std::uint64_t sum = 0;
  while (from < end) {
    std::uint64_t word = 0;
    const auto bytes = std::min<std::size_t>(sizeof word, static_cast<std::size_t>(end - from));
    std::memcpy(&word, from, bytes);
    sum += word;
    from += bytes;
  }
  return sum;
}

template <bool kPrefetch>
std::uint64_t ReadSteps(std::span<const std::byte> memory, std::size_t distance) {
  const Words d;
  const std::size_t step = StepBytes();
  const std::size_t vector = step / kVectors;
  const std::byte* from = memory.data();
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t left = memory.size() / step; left > 0; --left, from += step) {
    if (kPrefetch) PrefetchPage(from, distance, step);
    s0 = hn::Add(s0, LoadWords(from));
    s1 = hn::Add(s1, LoadWords(from + vector));
    s2 = hn::Add(s2, LoadWords(from + 2 * vector));
    s3 = hn::Add(s3, LoadWords(from + 3 * vector));
  }
  const auto sum = hn::Add(hn::Add(s0, s1), hn::Add(s2, s3));
  return hn::GetLane(hn::SumOfLanes(d, sum)) + SumOfTail(from, memory.data() + memory.size());
}

std::uint64_t ReadPass(std::span<const std::byte> memory, std::size_t distance) {
  return distance > 0 ? ReadSteps<true>(memory, distance) : ReadSteps<false>(memory, 0);
}

/// `to` is aligned to a cache line.
template <bool kPrefetch>
void CopySteps(const std::byte* from, std::size_t steps, std::byte* to, std::size_t distance) {
  const Words d;
  const std::size_t step = StepBytes();
  const std::size_t vector = step / kVectors;
  for (; steps > 0; --steps, from += step, to += step) {
    if (kPrefetch) {
      PrefetchPage(from, distance, step);
      PrefetchPage(to, distance, step);
    }
    const auto w0 = LoadWords(from), w1 = LoadWords(from + vector);
    const auto w2 = LoadWords(from + 2 * vector), w3 = LoadWords(from + 3 * vector);
    // In one go, so that lines leave the processor's write buffers whole.
    auto* const words = reinterpret_cast<std::uint64_t*>(to);
    hn::Stream(w0, d, words);
    hn::Stream(w1, d, words + hn::Lanes(d));
    hn::Stream(w2, d, words + 2 * hn::Lanes(d));
    hn::Stream(w3, d, words + 3 * hn::Lanes(d));
  }
}

void CopyPass(std::span<const std::byte> memory, std::byte* to, std::size_t distance) {
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(to) % kCacheLine;
  const std::size_t head = std::min((kCacheLine - misaligned) % kCacheLine, memory.size());
  const std::size_t steps = (memory.size() - head) / StepBytes();
  const std::size_t streamed = steps * StepBytes();
  const std::byte* const from = memory.data();
  if (head > 0) std::memcpy(to, from, head);
  if (distance > 0) {
    CopySteps<true>(from + head, steps, to + head, distance);
  } else {
    CopySteps<false>(from + head, steps, to + head, 0);
  }
  const std::size_t done = head + streamed;
  if (done < memory.size()) std::memcpy(to + done, from + done, memory.size() - done);
  hwy::FlushStream();
}

}  // namespace vparity::harness::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace vparity::harness {

HWY_EXPORT(ReadPass);
HWY_EXPORT(CopyPass);

std::uint64_t read_pass(std::span<const std::byte> from, std::size_t prefetch_distance) {
  return HWY_DYNAMIC_DISPATCH(ReadPass)(from, prefetch_distance);
}

void copy_pass(std::span<const std::byte> from, std::span<std::byte> to,
               std::size_t prefetch_distance) {
  HWY_DYNAMIC_DISPATCH(CopyPass)(from, to.data(), prefetch_distance);
}

}  // namespace vparity::harness

#endif  // HWY_ONCE
