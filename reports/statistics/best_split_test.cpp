#include "reports/statistics/best_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "reports/statistics/energy_scan.h"
#include "reports/statistics/split_bound.h"

namespace vparity::reports {
namespace {

using Values = std::vector<double>;

Values step(std::size_t before, std::size_t after, double height = 1) {
  Values values(before, 0.0);
  values.resize(before + after, height);
  return values;
}

/// The share of all orders of `zeros` zeros and `ones` ones whose best statistic is at least
/// `least`: counted, each once.
double exact_p(std::size_t zeros, std::size_t ones, double least) {
  Values values = step(zeros, ones);
  int as_split = 0, all = 0;
  do {
    EnergyScan scan(values, 3);
    as_split += scan.best(scan.order_given()).statistic >= least - 1e-9 ? 1 : 0;
    ++all;
  } while (std::ranges::next_permutation(values).found);
  return static_cast<double>(as_split) / all;
}

double statistic_of(const Values& values) {
  EnergyScan scan(values, 3);
  return scan.best(scan.order_given()).statistic;
}

TEST(FewestValues, AreSeventeenForOneInTenThousand) {
  // 2 / C(16, 8) = 2 / 12870 is above, 2 / C(17, 8) = 2 / 24310 below.
  EXPECT_EQ(fewest_values(1e-4), 17u);
  EXPECT_EQ(fewest_values(2.0 / 12870), 16u);
  // 2 / C(4, 2) = 1/3, 2 / C(5, 2) = 1/5.
  EXPECT_EQ(fewest_values(0.3), 5u);
}

TEST(BestSplit, IsNoneOfFewerValues) {
  EXPECT_FALSE(best_split(step(8, 8), 3, 1e-4));
  EXPECT_TRUE(best_split(step(8, 9), 3, 1e-4));
  EXPECT_FALSE(best_split(step(2, 3), 3, 0.5));
}

TEST(BestSplit, OfAStepIsTheStepAndNoChance) {
  const auto split = *best_split(step(20, 20), 3, 1e-4);
  EXPECT_EQ(split.at, 20u);
  // 2 / C(40, 20) is 1.5e-11.
  EXPECT_GE(split.p, 1.5e-11);
  EXPECT_LE(split.p, 1e-4);
}

TEST(BestSplit, HasThePThatCountingAllOrdersGives) {
  // Below the level p is 1 / k of one order; so over levels: how often it is at most the level.
  const auto values = step(6, 4);
  const double exact = exact_p(6, 4, statistic_of(values));
  EXPECT_DOUBLE_EQ(exact, 2.0 / 210);  // two of C(10, 4)
  EXPECT_GT(best_split(values, 3, 0.2)->p, exact / 100);
  // Whoever looks at all orders finds each p as often as it says.
  Values order = step(5, 5);
  std::vector<double> found;
  do found.push_back(best_split(order, 3, 0.02)->p);
  while (std::ranges::next_permutation(order).found);
  for (const double level : {0.02, 0.1, 0.3}) {
    const auto at_most = std::ranges::count_if(found, [&](double p) { return p <= level; });
    EXPECT_LE(static_cast<double>(at_most) / 252, level * 1.3) << level;
  }
}

template <class Noise>
void expect_rarely_significant(Noise noise) {
  std::mt19937_64 random(3);
  constexpr int trials = 4000;
  int found = 0;
  for (int i = 0; i < trials; ++i) {
    Values values(30);
    std::ranges::generate(values, [&] { return noise(random); });
    found += best_split(values, 3, 0.05)->p <= 0.05 ? 1 : 0;
  }
  // 1/20 of them, and three standard deviations: 200 +- 41.
  EXPECT_LE(found, 241);
  EXPECT_GE(found, 159);
}

TEST(BestSplit, OfNoiseIsRarelySignificant) {
  expect_rarely_significant(std::normal_distribution<double>());
  expect_rarely_significant(std::cauchy_distribution<double>());
}

TEST(BestSplit, IsTheSameEveryTime) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Values values(50);
  std::ranges::generate(values, [&] { return normal(random); });
  const auto once = *best_split(values, 3, 1e-4), again = *best_split(values, 3, 1e-4);
  EXPECT_EQ(once.at, again.at);
  EXPECT_EQ(once.p, again.p);
}

TEST(BestSplit, HasABoundForPWhereItIsTiny) {
  const auto values = step(100, 100);
  // The statistic is 2 * 100 * 100 / 200.
  EXPECT_DOUBLE_EQ(best_split(values, 3, 1e-4)->p, split_bound(values, 3, 100));
  EXPECT_LT(best_split(values, 3, 1e-4)->p, 1e-30);
}

}  // namespace
}  // namespace vparity::reports
