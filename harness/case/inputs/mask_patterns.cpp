#include "harness/case/inputs/mask_patterns.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "harness/case/inputs/column_permutation.h"
#include "harness/case/inputs/label_patterns.h"
#include "harness/case/inputs/philox.h"
#include "harness/case/inputs/row_schedule.h"
#include "harness/case/storage.h"

namespace vparity::harness {
namespace {

using philox::Stream;

constexpr float masked = -std::numeric_limits<float>::infinity();

/// The columns of one row that a call is about.
struct RowPart {
  std::int64_t row;
  std::int64_t begin;
  std::span<float> logits;

  std::int64_t end() const { return begin + static_cast<std::int64_t>(logits.size()); }
  bool holds(std::int64_t column) const { return begin <= column && column < end(); }
  float& at(std::int64_t column) const { return logits[static_cast<std::size_t>(column - begin)]; }

  void mask(std::int64_t first, std::int64_t last) const {
    for (std::int64_t v = std::max(first, begin); v < std::min(last, end()); ++v) at(v) = masked;
  }
};

philox::Words row_words(const InputSpace& space, std::int64_t row) {
  return philox::words(space.seed, Stream::row_mask, row, 0);
}

void none(const InputSpace&, const RowPart&) {}

/// All but `top_k_kept` columns at random, found by walking the kept ones: O(64) for any part.
void top_k(const InputSpace& space, const RowPart& part) {
  const ColumnPermutation order(space.parameters.vocab, row_words(space, part.row));
  std::array<std::pair<std::int64_t, float>, top_k_kept> kept;
  std::size_t count = 0;
  for (std::int64_t rank = 0; rank < top_k_kept; ++rank) {
    const std::int64_t column = order.column(rank);
    if (part.holds(column)) kept[count++] = {column, part.at(column)};
  }
  std::ranges::fill(part.logits, masked);
  for (std::size_t i = 0; i < count; ++i) part.at(kept[i].first) = kept[i].second;
}

/// Half of the columns; one certainly stays and its right neighbour certainly goes.
void random_half(const InputSpace& space, const RowPart& part) {
  constexpr std::int64_t columns_per_block = 128;
  const std::int64_t vocab = space.parameters.vocab;
  const std::int64_t kept = philox::below(vocab, row_words(space, part.row)[0]);
  const std::int64_t gone = (kept + 1) % vocab;
  for (std::int64_t v = part.begin; v < part.end();) {
    const std::int64_t block = v / columns_per_block;
    const auto w =
        philox::words(space.seed, Stream::mask, part.row, static_cast<std::uint32_t>(block));
    for (; v < std::min(part.end(), (block + 1) * columns_per_block); ++v) {
      const auto bit = static_cast<std::size_t>(v % columns_per_block);
      const bool goes = (w[bit / 32] >> (bit % 32) & 1U) != 0;
      if (v != kept && (goes || v == gone)) part.at(v) = masked;
    }
  }
}

/// The whole shard of TP rank row mod tp.
void one_shard(const InputSpace& space, const RowPart& part) {
  const ShardColumns& shard = space.split.shard(static_cast<int>(part.row % space.split.tp()));
  part.mask(shard.begin, shard.end);
}

/// The first half of each shard, at most as much as a kernel takes for one block.
void first_block(const InputSpace& space, const RowPart& part) {
  for (int rank = 0; rank < space.split.tp(); ++rank) {
    const ShardColumns& shard = space.split.shard(rank);
    part.mask(shard.begin, shard.begin + std::min(shard.valid() / 2, first_block_limit));
  }
}

/// The label's own column.
void target(const InputSpace& space, const RowPart& part) {
  const std::int64_t label = token_id(space, part.row, 0);
  if (label != space.parameters.ignore_index) part.mask(label, label + 1);
}

/// Every column but one at random.
void all_but_one(const InputSpace& space, const RowPart& part) {
  const std::int64_t kept = philox::below(space.parameters.vocab, row_words(space, part.row)[0]);
  part.mask(0, kept);
  part.mask(kept + 1, space.parameters.vocab);
}

void whole_row(const InputSpace& space, const RowPart& part) {
  if (schedule::wholly_masked(part.row)) part.mask(0, space.parameters.vocab);
}

/// In the order of MaskPattern. `padding` masks nothing: see fill_padding().
constexpr std::array mask_patterns{none,   top_k, random_half, one_shard, first_block,
                                   target, none,  all_but_one, whole_row};

/// Above the maximum of every pattern and inside every type's range: `large_offset` reaches about
/// 1.1e4, `extreme` the type's largest value.
float above_the_row(const CaseParameters& parameters) {
  if (parameters.logits != LogitsPattern::extreme) return 12000;
  return static_cast<float>(reference::largest_finite(format_of(parameters.dtype)));
}

}  // namespace

void apply_mask(const InputSpace& space, std::int64_t row, std::int64_t begin,
                std::span<float> logits) {
  mask_patterns.at(static_cast<std::size_t>(space.parameters.mask))(space, {row, begin, logits});
}

void fill_padding(const InputSpace& space, std::int64_t row, std::int64_t begin,
                  std::span<float> out) {
  if (space.parameters.mask != MaskPattern::padding) {
    std::ranges::fill(out, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  philox::fill_normal(space.seed, philox::Stream::padding, row, begin, out);
  const float floor = above_the_row(space.parameters);
  for (float& x : out) x = std::min(floor, floor + x);
}

}  // namespace vparity::harness
