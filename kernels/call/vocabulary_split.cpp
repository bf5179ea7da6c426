#include "vparity/vocabulary_split.h"

#include <fmt/format.h>

#include <algorithm>

#include "vparity/errors.h"

namespace vparity {
namespace {

constexpr std::int64_t padding_unit = 128;  // columns; the `padded` layout of semantics 1

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void check_vocab(std::int64_t vocab) {
  if (vocab < 1 || vocab > max_vocab) {
    throw ArgumentError(fmt::format("vocab must be in [1, {}], got {}", max_vocab, vocab));
  }
}

/// Shards of `step` columns each, cut off at V.
ShardColumns equal_step(std::int64_t step, std::int64_t rank, std::int64_t vocab) {
  const std::int64_t begin = std::min(rank * step, vocab);
  const std::int64_t end = std::min(begin + step, vocab);
  return {begin, end, end - begin};
}

ShardColumns balanced(std::int64_t vocab, std::int64_t rank, std::int64_t tp) {
  const std::int64_t width = vocab / tp;
  const std::int64_t wider = vocab % tp;
  const std::int64_t begin = rank * width + std::min(rank, wider);
  const std::int64_t own = width + (rank < wider ? 1 : 0);
  return {begin, begin + own, own};
}

ShardColumns padded(std::int64_t vocab, std::int64_t rank, std::int64_t tp) {
  const std::int64_t width = padding_unit * ceil_div(vocab, padding_unit * tp);
  ShardColumns columns = equal_step(width, rank, vocab);
  columns.width = width;
  return columns;
}

ShardColumns columns_of(Layout layout, std::int64_t vocab, std::int64_t rank, std::int64_t tp) {
  switch (layout) {
    case Layout::ceil:
      return equal_step(ceil_div(vocab, tp), rank, vocab);
    case Layout::balanced:
      return balanced(vocab, rank, tp);
    case Layout::padded:
      return padded(vocab, rank, tp);
  }
  throw ArgumentError("unknown layout");
}

}  // namespace

VocabularySplit VocabularySplit::of_layout(Layout layout, std::int64_t vocab, int tp) {
  check_vocab(vocab);
  if (tp < 1) throw ArgumentError(fmt::format("tp must be at least 1, got {}", tp));
  std::vector<ShardColumns> shards;
  shards.reserve(static_cast<std::size_t>(tp));
  for (int rank = 0; rank < tp; ++rank) shards.push_back(columns_of(layout, vocab, rank, tp));
  return {vocab, std::move(shards)};
}

VocabularySplit::VocabularySplit(std::int64_t vocab, std::vector<ShardColumns> shards)
    : vocab_(vocab), shards_(std::move(shards)) {
  check_vocab(vocab);
  std::int64_t next = 0;
  for (std::size_t rank = 0; rank < shards_.size(); ++rank) {
    const ShardColumns& shard = shards_[rank];
    if (shard.begin != next || shard.end < shard.begin || shard.width < shard.valid()) {
      throw ArgumentError(fmt::format(
          "shard of tp rank {} has columns [{}, {}) in a width of {}; it must begin at {}, where "
          "the shards before it end, and be wide enough",
          rank, shard.begin, shard.end, shard.width, next));
    }
    next = shard.end;
  }
  if (next != vocab) {
    throw ArgumentError(fmt::format("the widths of the {} shards add up to {}, but vocab is {}",
                                    shards_.size(), next, vocab));
  }
}

std::int64_t VocabularySplit::largest_width() const {
  return std::ranges::max_element(shards_, {}, &ShardColumns::width)->width;
}

int VocabularySplit::owner_of(std::int64_t column) const {
  const auto owner = std::ranges::upper_bound(shards_, column, {}, &ShardColumns::end);
  return static_cast<int>(owner - shards_.begin());
}

}  // namespace vparity
