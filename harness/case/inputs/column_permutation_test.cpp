#include "harness/case/inputs/column_permutation.h"

#include <gtest/gtest.h>

#include <set>

namespace vparity::harness {
namespace {

TEST(ColumnPermutation, IsABijectionThatColumnInverts) {
  for (const std::int64_t vocab : {1, 2, 3, 64, 97, 1000, 32003}) {
    const ColumnPermutation order(vocab, {{0x9e3779b9, 0x85ebca6b, 0, 0}});
    std::set<std::int64_t> ranks;
    for (std::int64_t column = 0; column < vocab; ++column) {
      const std::int64_t rank = order.rank(column);
      ASSERT_EQ(order.column(rank), column) << vocab;
      ASSERT_EQ(order.next(rank), order.rank((column + 1) % vocab)) << vocab;
      ranks.insert(rank);
    }
    EXPECT_EQ(*ranks.begin(), 0);
    EXPECT_EQ(*ranks.rbegin(), vocab - 1);
    EXPECT_EQ(ranks.size(), static_cast<std::size_t>(vocab));
  }
}

TEST(ColumnPermutation, ScattersNeighbours) {
  const ColumnPermutation order(151936, {{0x9e3779b9, 0x85ebca6b, 0, 0}});
  EXPECT_NE(order.next(order.rank(0)), order.rank(0) + 1);
}

}  // namespace
}  // namespace vparity::harness
