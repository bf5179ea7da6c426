#include "harness/case/inputs/logits_patterns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "harness/case/inputs/column_permutation.h"
#include "harness/case/inputs/extreme_logits.h"
#include "harness/case/inputs/label_patterns.h"
#include "harness/case/inputs/philox.h"
#include "harness/case/inputs/row_schedule.h"
#include "harness/case/storage.h"

namespace vparity::harness {
namespace {

using philox::Stream;

constexpr float sigma = 3;  // about what language models' logits scatter by

philox::Words row_words(const InputSpace& space, std::int64_t row) {
  return philox::words(space.seed, Stream::row_logits, row, 0);
}

void scaled_normal(const InputSpace& space, std::int64_t row, std::int64_t begin, float scale,
                   std::span<float> out) {
  philox::fill_normal(space.seed, Stream::logits, row, begin, out);
  for (float& x : out) x *= scale;
}

void normal(const InputSpace& space, std::int64_t row, std::int64_t begin, std::span<float> out) {
  scaled_normal(space, row, begin, sigma, out);
}

/// The column of random rank r has about the probability of the r-th most frequent token by Zipf's
/// law, p ~ (r + 1)^-1.2, with noise.
void lm_like(const InputSpace& space, std::int64_t row, std::int64_t begin, std::span<float> out) {
  scaled_normal(space, row, begin, 0.5F, out);
  const ColumnPermutation order(space.parameters.vocab, row_words(space, row));
  std::int64_t rank = order.rank(begin);
  for (float& x : out) {
    x += 15.0F - 1.2F * std::log(static_cast<float>(rank + 1));
    rank = order.next(rank);
  }
}

/// The same number in every column, another one in every row.
void constant(const InputSpace& space, std::int64_t row, std::int64_t, std::span<float> out) {
  std::ranges::fill(out, sigma * philox::normal(space.seed, Stream::row_logits, row, 0));
}

/// The label in odd rows, another column in even ones.
std::int64_t peak_column(const InputSpace& space, std::int64_t row) {
  const std::int64_t vocab = space.parameters.vocab;
  const std::int64_t label = token_id(space, row, 0);
  const std::int64_t other = philox::below(vocab - 1, row_words(space, row)[0]);
  if (label == space.parameters.ignore_index) return other;
  return row % 2 == 1 ? label : (label + 1 + other) % vocab;
}

/// One column 25 above the others: they hold about V e^-25 of the probability, enough for the
/// entropy to be a number above 0.
void one_peak(const InputSpace& space, std::int64_t row, std::int64_t begin, std::span<float> out) {
  scaled_normal(space, row, begin, 1, out);
  const std::int64_t peak = peak_column(space, row) - begin;
  if (peak >= 0 && peak < static_cast<std::int64_t>(out.size())) {
    out[static_cast<std::size_t>(peak)] = 25;
  }
}

/// +-1e4, the sign alternating by row. The scatter around it is at least two units in the last
/// place of the storage type, or all logits would be the same.
void large_offset(const InputSpace& space, std::int64_t row, std::int64_t begin,
                  std::span<float> out) {
  constexpr float offset = 1e4F;
  const auto unit =
      static_cast<float>(2 * reference::half_ulp(format_of(space.parameters.dtype), offset));
  scaled_normal(space, row, begin, std::max(sigma, 2 * unit), out);
  for (float& x : out) x += row % 2 == 0 ? offset : -offset;
}

void wide(const InputSpace& space, std::int64_t row, std::int64_t begin, std::span<float> out) {
  philox::fill_uniform(space.seed, Stream::logits, row, begin, out);
  for (float& x : out) x *= 80;
}

/// Never falling, the maximum last: a running maximum changes again and again.
void ascending(const InputSpace& space, std::int64_t row, std::int64_t begin,
               std::span<float> out) {
  const float start = sigma * philox::normal(space.seed, Stream::row_logits, row, 0);
  const float slope = 16 / static_cast<float>(space.parameters.vocab);
  std::int64_t column = begin;
  for (float& x : out) x = start + slope * static_cast<float>(++column);
}

/// Seven values half a unit apart; the largest is a quarter of all.
void ties(const InputSpace& space, std::int64_t row, std::int64_t begin, std::span<float> out) {
  philox::fill_uniform(space.seed, Stream::logits, row, begin, out);
  for (float& x : out) x = static_cast<float>(std::min(static_cast<int>(4 * (x + 1)), 6)) / 2;
}

/// In the order of LogitsPattern.
constexpr std::array logits_patterns{normal, lm_like,   constant, one_peak, large_offset,
                                     wide,   ascending, ties,     extreme,  normal};

}  // namespace

void fill_logits(const InputSpace& space, std::int64_t row, std::int64_t begin,
                 std::span<float> out) {
  logits_patterns.at(static_cast<std::size_t>(space.parameters.logits))(space, row, begin, out);
}

void put_nonfinite(const InputSpace& space, std::int64_t row, std::int64_t begin,
                   std::span<float> out) {
  const bool nan = schedule::has_nan(row);
  if (space.parameters.logits != LogitsPattern::nonfinite) return;
  if (!nan && !schedule::has_infinity(row)) return;
  const std::int64_t place =
      philox::below(space.parameters.vocab, row_words(space, row)[0]) - begin;
  if (place < 0 || place >= static_cast<std::int64_t>(out.size())) return;
  out[static_cast<std::size_t>(place)] =
      nan ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
}

}  // namespace vparity::harness
