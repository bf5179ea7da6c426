// How the V columns of the vocabulary are split over the ranks of a tensor-parallel group.
#pragma once

#include <cstdint>
#include <vector>

namespace vparity {

/// Largest vocabulary that the kernels accept: smaller counts are exact in fp32 (semantics 5).
inline constexpr std::int64_t max_vocab = std::int64_t{1} << 22;

/// `ceil`: every shard has ceil(V / TP) columns, the last ones fewer or none.
/// `balanced`: the first V mod TP shards are one column wider.
/// `padded`: every shard has 128 * ceil(V / (128 TP)) columns in memory; columns >= V hold garbage.
enum class Layout : std::uint8_t { ceil, balanced, padded };

/// The columns of one rank: `width` columns in memory. The first `valid()` are the global columns
/// [begin, end); the rest is padding that is never read as a number.
struct ShardColumns {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t width = 0;

  std::int64_t valid() const { return end - begin; }
  bool owns(std::int64_t column) const { return begin <= column && column < end; }
  bool operator==(const ShardColumns&) const = default;
};

/// The shards of all ranks. They tile [0, vocab) in rank order without gap or overlap.
class VocabularySplit {
 public:
  /// The split of a layout. Throws ArgumentError if vocab is outside [1, max_vocab] or tp < 1.
  static VocabularySplit of_layout(Layout layout, std::int64_t vocab, int tp);

  /// Any other split. Throws ArgumentError with the rank if the shards do not tile [0, vocab).
  VocabularySplit(std::int64_t vocab, std::vector<ShardColumns> shards);

  std::int64_t vocab() const { return vocab_; }
  int tp() const { return static_cast<int>(shards_.size()); }
  const ShardColumns& shard(int rank) const { return shards_.at(static_cast<std::size_t>(rank)); }

  /// Width of the widest shard.
  std::int64_t largest_width() const;

  /// The rank that owns a global column in [0, vocab).
  int owner_of(std::int64_t column) const;

 private:
  std::int64_t vocab_;
  std::vector<ShardColumns> shards_;
};

}  // namespace vparity
