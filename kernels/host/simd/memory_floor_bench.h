// The memory's speed for the bytes of a pass: read once, or read once and written once by
// non-temporal stores. For the benchmarks; vectors of 16 bytes, which every x86-64 has, reach it as
// well as wider ones, so this needs no dispatch.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace vparity::cpu {

inline constexpr std::size_t cache_line = 64;

/// Bytes by which prefetches are ahead; 0 leaves prefetching to the processor.
inline constexpr std::array<std::size_t, 4> prefetch_distances{0, 4096, 8192, 16384};

struct alignas(cache_line) Line {
  std::array<std::uint64_t, cache_line / sizeof(std::uint64_t)> words;
};

/// Once per page of 4 KiB, so that its translation is known when it is reached.
template <std::size_t kDistance>
void prefetch_page(const Line& line) {
  const auto address = reinterpret_cast<std::uintptr_t>(&line);
  if (kDistance > 0 && address % 4096 < cache_line)
    __builtin_prefetch(reinterpret_cast<const void*>(address + kDistance));
}

inline void stream_line(const Line& from, Line& to) {
#if defined(__SSE2__)
  const auto* const read = reinterpret_cast<const __m128i*>(&from);
  auto* const write = reinterpret_cast<__m128i*>(&to);
  const __m128i w0 = read[0], w1 = read[1], w2 = read[2], w3 = read[3];
  _mm_stream_si128(write, w0);
  _mm_stream_si128(write + 1, w1);
  _mm_stream_si128(write + 2, w2);
  _mm_stream_si128(write + 3, w3);
#else
  to = from;
#endif
}

template <std::size_t kDistance>
std::uint64_t read_floor(std::span<const Line> lines) {
  Line sums{};  // of each word of the lines, so that none waits for another
  for (const Line& line : lines) {
    prefetch_page<kDistance>(line);
    for (std::size_t i = 0; i < sums.words.size(); ++i) sums.words[i] += line.words[i];
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t word : sums.words) sum += word;
  return sum;
}

template <std::size_t kDistance>
void copy_floor(std::span<const Line> from, std::span<Line> to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    prefetch_page<kDistance>(from[i]);
    prefetch_page<kDistance>(to[i]);
    stream_line(from[i], to[i]);
  }
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// One function for each of prefetch_distances.
using ReadFloor = std::uint64_t (*)(std::span<const Line>);
inline constexpr std::array<ReadFloor, 4> read_floors{read_floor<0>, read_floor<4096>,
                                                      read_floor<8192>, read_floor<16384>};
using CopyFloor = void (*)(std::span<const Line>, std::span<Line>);
inline constexpr std::array<CopyFloor, 4> copy_floors{copy_floor<0>, copy_floor<4096>,
                                                      copy_floor<8192>, copy_floor<16384>};

/// The index in prefetch_distances at which `pass(index)` is fastest, tried a few times.
template <class Pass>
std::size_t best_prefetch_distance(const Pass& pass) {
  using Clock = std::chrono::steady_clock;
  std::array<Clock::duration, prefetch_distances.size()> fastest;
  fastest.fill(Clock::duration::max());
  for (int round = 0; round < 5; ++round) {
    for (std::size_t i = 0; i < fastest.size(); ++i) {
      const auto start = Clock::now();
      pass(i);
      fastest[i] = std::min(fastest[i], Clock::now() - start);
    }
  }
  return static_cast<std::size_t>(std::ranges::min_element(fastest) - fastest.begin());
}

}  // namespace vparity::cpu
