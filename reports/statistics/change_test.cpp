#include "reports/statistics/change.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace vparity::reports {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::optional<Change> judge_one(const std::vector<double>& log_ratios,
                                const Criteria& criteria = {}) {
  return judge({log_ratios}, criteria).at(0);
}

/// Pairs whose log-ratios have this mean and this standard error of it.
std::vector<double> pairs_around(double mean, double standard_error) {
  // Four values: deviations d, d, -d, -d have the standard error d / sqrt(3).
  const double d = standard_error * std::sqrt(3.0);
  return {mean + d, mean - d, mean - d, mean + d};
}

TEST(Holm, MultipliesTheSmallestByTheCountTheNextByOneLess) {
  using ::testing::DoubleEq;
  // By hand: 4 * 0.01; 3 * 0.013 is below that; 2 * 0.03; 0.04 is below that.
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.03, 0.01, 0.04, 0.013}),
              testing::ElementsAre(DoubleEq(0.06), DoubleEq(0.04), DoubleEq(0.06), DoubleEq(0.04)));
}

TEST(Holm, KeepsASingleValueAndStopsAtOne) {
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.2}), testing::ElementsAre(0.2));
  EXPECT_THAT(holm_adjusted(std::vector<double>{0.9, 0.8}), testing::ElementsAre(1, 1));
  EXPECT_THAT(holm_adjusted({}), testing::IsEmpty());
}

TEST(LogRatios, AreThoseOfHeadOverBaseByPair) {
  const std::vector<double> base{1, 2}, head{1, 4};
  EXPECT_EQ(log_ratios(base, head), (std::vector<double>{0, std::log(2.0)}));
}

TEST(Change, HasTheIntervalOfStudentsDistribution) {
  const auto change = judge_one(pairs_around(0.05, 0.001));
  ASSERT_TRUE(change);
  // t of 3 degrees of freedom at 0.995, from printed tables: 5.841.
  EXPECT_NEAR(change->low, std::expm1(0.05 - 0.005841), 1e-6);
  EXPECT_NEAR(change->high, std::expm1(0.05 + 0.005841), 1e-6);
  EXPECT_NEAR(change->ratio, std::expm1(0.05), 1e-12);
  EXPECT_EQ(change->pairs, 4u);
}

TEST(Change, ThatWouldHaveBeenSeenLiesBeyondTheThresholdAndTheInterval) {
  // 5.841 as above, 1.645 of the normal distribution at 0.95, times sqrt(1 + 5.841^2 / 6).
  EXPECT_NEAR(judge_one(pairs_around(0, 0.001))->detectable,
              1.02 * std::exp((5.841 + 1.645 * 2.5854) * 0.001) - 1, 2e-6);
}

TEST(Verdict, OfOneCaseIsWhereItsIntervalLies) {
  const auto verdict = [](double mean, double standard_error) {
    return judge_one(pairs_around(mean, standard_error))->verdict;
  };
  const double edge = std::log(1.02), reach = 5.841 * 0.001;
  EXPECT_EQ(verdict(edge + 1.01 * reach, 0.001), Verdict::regressed);
  EXPECT_EQ(verdict(edge + 0.99 * reach, 0.001), Verdict::inconclusive);
  EXPECT_EQ(verdict(-edge - 1.01 * reach, 0.001), Verdict::improved);
  EXPECT_EQ(verdict(-edge - 0.99 * reach, 0.001), Verdict::inconclusive);
  EXPECT_EQ(verdict(edge - 1.01 * reach, 0.001), Verdict::equivalent);
  EXPECT_EQ(verdict(-edge + 0.99 * reach, 0.001), Verdict::inconclusive);
  EXPECT_EQ(verdict(0, 0.01), Verdict::inconclusive);
}

TEST(Verdict, SaysTheOppositeWhenTheSidesAreExchanged) {
  const auto there = *judge_one(pairs_around(0.1, 0.001)),
             back = *judge_one(pairs_around(-0.1, 0.001));
  EXPECT_EQ(there.verdict, Verdict::regressed);
  EXPECT_EQ(back.verdict, Verdict::improved);
  EXPECT_NEAR((1 + there.low) * (1 + back.high), 1, 1e-12);
  EXPECT_NEAR(there.p_changed, back.p_changed, 1e-15);
}

TEST(Verdict, TakesTheThresholdItIsGiven) {
  EXPECT_EQ(judge_one(pairs_around(0.05, 0.001), {.threshold = 0.1})->verdict, Verdict::equivalent);
  EXPECT_EQ(judge_one(pairs_around(0.01, 0.001), {.threshold = 0})->verdict, Verdict::regressed);
}

TEST(Verdict, IsHarderToGetForOneOfMany) {
  // Alone its p-value is just below 0.01.
  const auto just = pairs_around(std::log(1.02) + 1.01 * 5.841e-3, 1e-3);
  const std::vector<double> quiet = pairs_around(0, 1e-2);
  EXPECT_EQ(judge({just}, {}).at(0)->verdict, Verdict::regressed);
  EXPECT_EQ(judge({quiet, just}, {}).at(1)->verdict, Verdict::inconclusive);
}

TEST(Verdict, IsHarderToGetWhereOneLooksAgain) {
  const auto just = pairs_around(std::log(1.02) + 1.01 * 5.841e-3, 1e-3);
  EXPECT_EQ(judge_one(just, {.looks = 2})->verdict, Verdict::inconclusive);
}

TEST(Verdict, IsNoneOfFewPairs) {
  for (std::size_t pairs = 2; pairs < fewest_pairs; ++pairs)
    EXPECT_EQ(judge_one(std::vector<double>(pairs, 0.5))->verdict, Verdict::inconclusive) << pairs;
  EXPECT_FALSE(judge_one({0.5}));
  EXPECT_FALSE(judge_one({}));
}

TEST(Verdict, WithoutAnyScatterIsThatOfTheValue) {
  const auto verdict = [](double value) {
    return judge_one(std::vector<double>(10, value))->verdict;
  };
  EXPECT_EQ(verdict(0.05), Verdict::regressed);
  EXPECT_EQ(verdict(-0.05), Verdict::improved);
  EXPECT_EQ(verdict(0), Verdict::equivalent);
  EXPECT_EQ(verdict(std::log1p(0.02)), Verdict::inconclusive);
}

TEST(Verdict, OfTheOthersDoesNotMindACaseThatCannotBeJudged) {
  for (const double bad : {nan, infinity, -infinity}) {
    const auto changes = judge({{0, 0, bad, 0}, pairs_around(0.1, 0.001)}, {});
    EXPECT_FALSE(changes.at(0)) << bad;
    EXPECT_EQ(changes.at(1)->verdict, Verdict::regressed) << bad;
    EXPECT_EQ(changes.at(1)->p_changed, judge_one(pairs_around(0.1, 0.001))->p_changed);
  }
}

}  // namespace
}  // namespace vparity::reports
