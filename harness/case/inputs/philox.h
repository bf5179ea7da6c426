// Random numbers as a function of (seed, stream, row, block): Philox4x32-10 with the place as its
// counter, so that any part of the inputs can be made without the rest (Salmon et al., "Parallel
// random numbers: as easy as 1, 2, 3", SC 2011).
#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <span>

namespace vparity::harness::philox {

/// Independent sequences, one per kind of input. Their numbers are part of what a seed means.
enum class Stream : std::uint32_t {
  logits = 1,
  row_logits = 2,
  mask = 3,
  row_mask = 4,
  padding = 5,
  ids = 6,
  ignored = 7,
  grad_logprob = 8,
  grad_entropy = 9,
  grad_loss = 10,
};

using Words = r123::Philox4x32::ctr_type;

/// 128 random bits.
Words words(std::uint64_t seed, Stream stream, std::int64_t row, std::uint32_t block);

/// Uniform in [0, bound), bound < 2^32, from one random word.
constexpr std::int64_t below(std::int64_t bound, std::uint32_t word) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(bound) * word) >> 32);
}

/// True with probability `share`.
constexpr bool chance(double share, std::uint32_t word) { return word < share * 0x1p32; }

/// One standard normal number.
float normal(std::uint64_t seed, Stream stream, std::int64_t row, std::uint32_t block);

/// Numbers of columns [begin, begin + out.size()) of a row; a column's number does not depend on
/// `begin`. Block b holds columns 4 b to 4 b + 3.
void fill_words(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                std::span<std::uint32_t> out);
/// Standard normal.
void fill_normal(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                 std::span<float> out);
/// Uniform in [-1, 1].
void fill_uniform(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                  std::span<float> out);

}  // namespace vparity::harness::philox
