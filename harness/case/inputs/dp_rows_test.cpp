#include "harness/case/inputs/dp_rows.h"

#include <gmock/gmock.h>

namespace vparity::harness {
namespace {

using ::testing::ElementsAre;

std::vector<std::int64_t> deal(DpRows pattern, int dp, std::int64_t tokens) {
  CaseParameters parameters;
  parameters.dp_rows = pattern;
  parameters.dp = dp;
  parameters.tokens = tokens;
  return deal_rows(parameters);
}

TEST(DpRows, EvenGivesTheRemainderToTheFirstRanks) {
  EXPECT_THAT(deal(DpRows::even, 3, 8), ElementsAre(3, 3, 2));
  EXPECT_THAT(deal(DpRows::even, 2, 0), ElementsAre(0, 0));
  EXPECT_THAT(deal(DpRows::even, 1, 5), ElementsAre(5));
}

TEST(DpRows, UnevenGrowsWithTheRank) {
  EXPECT_THAT(deal(DpRows::uneven, 2, 64), ElementsAre(21, 43));
  EXPECT_THAT(deal(DpRows::uneven, 3, 12), ElementsAre(2, 4, 6));
  EXPECT_THAT(deal(DpRows::uneven, 2, 1), ElementsAre(0, 1));
}

TEST(DpRows, OneEmptyLeavesTheFirstRankWithoutRows) {
  EXPECT_THAT(deal(DpRows::one_empty, 3, 9), ElementsAre(0, 5, 4));
}

}  // namespace
}  // namespace vparity::harness
