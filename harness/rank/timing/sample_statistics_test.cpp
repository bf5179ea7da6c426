#include "harness/rank/timing/sample_statistics.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <numeric>
#include <random>

namespace vparity::harness {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(SortedQuantile, IsTheNearestRank) {
  EXPECT_EQ(sorted_quantile(one_to(20), 0.05), 1);
  EXPECT_EQ(sorted_quantile(one_to(20), 0.95), 19);
  EXPECT_EQ(sorted_quantile(one_to(1), 0.05), 1);
}

// The ranks of published tables: n = 10: 2nd and 9th (97.9 %); n = 25: 8th and 18th (95.7 %);
// n = 6: 1st and 6th (96.9 %).
TEST(MedianInterval, HasTheRanksOfTheTables) {
  const auto expect = [](int n, double low, double high) {
    const auto values = one_to(n);
    const Interval interval = median_interval(values);
    EXPECT_EQ(interval.low, low) << n;
    EXPECT_EQ(interval.high, high) << n;
  };
  expect(6, 1, 6);
  expect(10, 2, 9);
  expect(25, 8, 18);
  expect(5, 1, 5);
  expect(1, 1, 1);
}

TEST(MedianInterval, HoldsTheMedianInNinetyFiveOfAHundredDraws) {
  std::mt19937 random(7);
  std::exponential_distribution<> exponential;
  constexpr double median = 0.6931471805599453;  // log 2
  constexpr int draws = 4000;
  int held = 0;
  for (int draw = 0; draw < draws; ++draw) {
    std::vector<double> values(20);
    std::ranges::generate(values, [&] { return exponential(random); });
    std::ranges::sort(values);
    const Interval interval = median_interval(values);
    held += interval.low <= median && median <= interval.high ? 1 : 0;
  }
  EXPECT_GE(held, 0.945 * draws);  // 95.9 % by the binomial distribution
  EXPECT_LE(held, 0.97 * draws);
}

TEST(SamplesNeeded, FollowsTheSpreadAndNotTheOutlier) {
  // The quantiles of a normal distribution: mean 100, standard deviation 5.
  const boost::math::normal_distribution<> normal(100, 5);
  std::vector<double> samples;
  for (int i = 0; i < 200; ++i) samples.push_back(quantile(normal, (i + 0.5) / 200));
  constexpr double expected = 151;  // (1.96 x 1.2533 x 5 / 100 / 0.01)^2, less than there are
  EXPECT_EQ(samples_needed(samples, 0.01), 200U);
  EXPECT_NEAR(static_cast<double>(samples_needed(samples, 0.005)), 4 * expected,
              0.05 * 4 * expected);
  samples.back() = 1e9;
  EXPECT_NEAR(static_cast<double>(samples_needed(samples, 0.005)), 4 * expected,
              0.05 * 4 * expected);
  EXPECT_EQ(samples_needed({1, 1, 1, 1, 1}, 0.01), 5U);
}

}  // namespace
}  // namespace vparity::harness
