#include "reports/model/error_ratios.h"

#include <gmock/gmock.h>

#include <limits>

namespace vparity::reports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

CaseResult with_loss(double error_ratio, std::int64_t nontrivial = 1,
                     std::optional<NaiveError> naive = std::nullopt) {
  CaseResult result;
  result.outputs.push_back({.name = "loss",
                            .error_ratio = error_ratio,
                            .nontrivial = nontrivial,
                            .naive = naive,
                            .worst = {}});
  return result;
}

TEST(ErrorRatioDistribution, LeavesOutTrivialOutputsAndMissedDemands) {
  const auto all = error_ratio_distributions({with_loss(0.5), with_loss(0, 0),
                                              with_loss(std::numeric_limits<double>::infinity()),
                                              with_loss(0), with_loss(0.25)});
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].output, "loss");
  EXPECT_THAT(all[0].error_ratios, ElementsAre(0, 0.25, 0.5));
}

TEST(ErrorRatioDistribution, KeepsTheOrderOfTheOutputsAlsoWhereTheFirstIsTrivialAtFirst) {
  CaseResult first = with_loss(0, 0), second = with_loss(0.5);
  for (CaseResult* result : {&first, &second})
    result->outputs.push_back({.name = "lse", .error_ratio = 0.5, .nontrivial = 1, .worst = {}});
  const auto all = error_ratio_distributions({first, second});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].output, "loss");
}

TEST(Quantile, IsTheSmallestThatTheShareDoesNotExceed) {
  const std::vector<double> twenty{1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                   11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  EXPECT_EQ(quantile(twenty, 0), 1);
  EXPECT_EQ(quantile(twenty, 0.5), 10);
  EXPECT_EQ(quantile(twenty, 0.95), 19);
  EXPECT_EQ(quantile(twenty, 1), 20);
  EXPECT_EQ(quantile({7}, 0.95), 7);
}

TEST(ErrorRatioTable, HasOneRowPerOutput) {
  const auto table = error_ratio_table(
      {with_loss(0.125, 1, NaiveError{0, 40}), with_loss(0.5, 1, NaiveError{0, 0.75})});
  ASSERT_THAT(table, SizeIs(2));
  EXPECT_THAT(table[0], ElementsAre("error ratios of", "cases", "min", "median", "p95", "max",
                                    "naive caught"));
  EXPECT_THAT(table[1], ElementsAre("loss", "2", "0.125", "0.125", "0.5", "0.5", "50 %"));
}

TEST(ErrorRatioTable, IsEmptyWhereNothingWasCompared) {
  EXPECT_THAT(error_ratio_table({CaseResult{}}), IsEmpty());
}

}  // namespace
}  // namespace vparity::reports
