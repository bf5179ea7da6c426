#include "vparity/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(VocabShard, RowsThatOverlapAreRefused) {
  EXPECT_THAT((([] {
                VocabShard({nullptr, DType::fp32, 2, 3}, {0, 4, 4});
              })),
              ThrowsMessage<ArgumentError>(HasSubstr("row_stride 3")));
  VocabShard({nullptr, DType::fp32, 1, 3}, {0, 4, 4});  // one row has no next one
  VocabShard({nullptr, DType::fp32, 2, 4}, {0, 3, 4});
  EXPECT_THAT((([] {
                VocabShard({nullptr, DType::fp32, -1, 4}, {0, 4, 4});
              })),
              ThrowsMessage<ArgumentError>(HasSubstr("-1 rows")));
}

TEST(FullLogits, AreTheOnlyShardOfAGroupOfOne) {
  const FullLogits full({nullptr, DType::bf16, 2, 10}, 8);
  EXPECT_EQ(full.as_only_shard().columns(), (ShardColumns{0, 8, 8}));
  EXPECT_EQ(full.as_only_shard().rows().row_stride, 10);
}

TEST(Replicated, StridesAreInElementsAndZeroBroadcasts) {
  const std::array<float, 6> values = {0, 1, 2, 3, 4, 5};
  const Replicated transposed(values.data(), 2, 3, 1, 2);
  EXPECT_EQ(transposed(1, 2), 5);
  EXPECT_EQ(Replicated(values.data() + 3, 100, 1, 0, 0)(99), 3);
  EXPECT_FALSE(Replicated<float>().present());
  EXPECT_TRUE(Replicated<float>(nullptr, 0).present());
}

TEST(TokenIds, ReadBothWidths) {
  const std::array<std::int32_t, 2> narrow = {-100, 7};
  const std::array<std::int64_t, 2> wide = {(std::int64_t{1} << 32) + 3, 7};
  EXPECT_EQ(TokenIds(Replicated(narrow.data(), 2))(0, 0), -100);
  EXPECT_EQ(TokenIds(Replicated(wide.data(), 1, 2))(0, 0), 4294967299);
  EXPECT_EQ(TokenIds(Replicated(wide.data(), 1, 2)).columns(), 2);
  EXPECT_EQ(TokenIds(Replicated(wide.data(), 1, 2)).rows(), 1);
}

}  // namespace
}  // namespace vparity
