#include "vparity/vocabulary_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<ShardColumns> shards_of(const VocabularySplit& split) {
  std::vector<ShardColumns> shards;
  for (int rank = 0; rank < split.tp(); ++rank) shards.push_back(split.shard(rank));
  return shards;
}

using Shards = std::vector<ShardColumns>;

TEST(VocabularySplit, CeilLeavesTheLastShardsFewerColumnsOrNone) {
  EXPECT_EQ(shards_of(VocabularySplit::of_layout(Layout::ceil, 10, 4)),
            (Shards{{0, 3, 3}, {3, 6, 3}, {6, 9, 3}, {9, 10, 1}}));
  EXPECT_EQ(shards_of(VocabularySplit::of_layout(Layout::ceil, 5, 4)),
            (Shards{{0, 2, 2}, {2, 4, 2}, {4, 5, 1}, {5, 5, 0}}));
}

TEST(VocabularySplit, BalancedMakesTheFirstShardsOneWider) {
  EXPECT_EQ(shards_of(VocabularySplit::of_layout(Layout::balanced, 10, 4)),
            (Shards{{0, 3, 3}, {3, 6, 3}, {6, 8, 2}, {8, 10, 2}}));
}

TEST(VocabularySplit, PaddedShardsAreMultiplesOf128InMemory) {
  EXPECT_EQ(shards_of(VocabularySplit::of_layout(Layout::padded, 50257, 2)),
            (Shards{{0, 25216, 25216}, {25216, 50257, 25216}}));
  EXPECT_EQ(shards_of(VocabularySplit::of_layout(Layout::padded, 130, 3)),
            (Shards{{0, 128, 128}, {128, 130, 128}, {130, 130, 128}}));
}

TEST(VocabularySplit, EveryColumnHasTheOwnerWhoseRangeHoldsIt) {
  for (const Layout layout : {Layout::ceil, Layout::balanced, Layout::padded}) {
    for (const std::int64_t vocab : {1, 3, 7, 129, 1000}) {
      const VocabularySplit split = VocabularySplit::of_layout(layout, vocab, 5);
      for (std::int64_t v = 0; v < vocab; ++v) {
        EXPECT_TRUE(split.shard(split.owner_of(v)).owns(v)) << vocab << ' ' << v;
      }
    }
  }
}

TEST(VocabularySplit, GapsOverlapsAndWrongSumsNameTheRank) {
  const auto split = [](std::int64_t vocab, Shards shards) {
    return [=] { VocabularySplit(vocab, shards); };
  };
  EXPECT_THAT(split(8, {{0, 4, 4}, {5, 8, 3}}),
              ThrowsMessage<ArgumentError>(HasSubstr("tp rank 1")));
  EXPECT_THAT(split(8, {{0, 4, 4}, {3, 8, 5}}),
              ThrowsMessage<ArgumentError>(HasSubstr("tp rank 1")));
  EXPECT_THAT(split(8, {{0, 4, 3}, {4, 8, 4}}),
              ThrowsMessage<ArgumentError>(HasSubstr("tp rank 0")));
  EXPECT_THAT(split(8, {{0, 8, 8}, {0, 8, 8}}),
              ThrowsMessage<ArgumentError>(HasSubstr("tp rank 1")));
  EXPECT_THAT(split(9, {{0, 4, 4}, {4, 8, 4}}),
              ThrowsMessage<ArgumentError>(HasSubstr("add up to 8, but vocab is 9")));
}

TEST(VocabularySplit, VocabularyIsBoundedByExactColumnCounts) {
  EXPECT_EQ(VocabularySplit::of_layout(Layout::ceil, max_vocab, 1).vocab(), max_vocab);
  for (const std::int64_t vocab : {max_vocab + 1, std::int64_t{0}, std::int64_t{-1}}) {
    EXPECT_THAT([=] { VocabularySplit::of_layout(Layout::ceil, vocab, 2); },
                ThrowsMessage<ArgumentError>(HasSubstr("vocab must be in [1, 4194304]")));
  }
  EXPECT_THAT([] { VocabularySplit::of_layout(Layout::ceil, 8, 0); },
              ThrowsMessage<ArgumentError>(HasSubstr("tp must be at least 1")));
}

}  // namespace
}  // namespace vparity
