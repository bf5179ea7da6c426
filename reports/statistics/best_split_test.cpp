#include "reports/statistics/best_split.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "reports/statistics/energy_scan.h"

namespace vparity::reports {
namespace {

using Values = std::vector<double>;

Values step(std::size_t before, std::size_t after, double height = 1) {
  Values values(before, 0.0);
  values.resize(before + after, height);
  return values;
}

/// Counts all orders of `zeros` zeros and `ones` ones: the share whose best statistic is at least
/// `least`.
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

TEST(BestSplit, OfAStepIsTheStep) { EXPECT_EQ(best_split(step(20, 20), 3, 1e-4)->at, 20u); }

TEST(BestSplit, SmallestPIsTheLevelHoweverClearTheStep) {
  // Of the orders of 100 zeros and 100 ones, 2 / C(200, 100) = 2e-59 are split as clearly: none of
  // the 9999 random orders is.
  EXPECT_EQ(best_split(step(100, 100), 3, 1e-4)->p, 1e-4);
  EXPECT_EQ(best_split(step(20, 20), 3, 0.03)->p, 1.0 / 34) << "33 orders and the series itself";
}

TEST(BestSplit, HasThePThatCountingAllOrdersGives) {
  const auto values = step(6, 4);
  const double exact = exact_p(6, 4, statistic_of(values));
  EXPECT_DOUBLE_EQ(exact, 2.0 / 210);  // two of C(10, 4)
  EXPECT_GT(best_split(values, 3, 0.2)->p, exact / 100);
  // Over all orders of the values, p is at most a level as often as the level says.
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

using Order = std::vector<std::uint32_t>;

Order shuffled(std::uint32_t size, std::uint32_t number) {
  Order given(size), result;
  std::iota(given.begin(), given.end(), 0U);
  shuffle(given, number, result);
  return result;
}

TEST(Shuffle, HoldsWhatItWasGiven) {
  for (const std::uint32_t size : {0, 1, 2, 5, 100}) {
    Order given(size);
    std::iota(given.begin(), given.end(), 0U);
    EXPECT_THAT(shuffled(size, 3), testing::UnorderedElementsAreArray(given)) << size;
  }
}

TEST(Shuffle, IsTheSameWheneverItIsAskedFor) {
  const auto first = shuffled(30, 7);
  shuffled(30, 8);
  EXPECT_EQ(shuffled(30, 7), first);
  EXPECT_NE(shuffled(30, 8), first);
}

TEST(Shuffle, GivesEachOrderEquallyOften) {
  std::map<Order, int> seen;
  constexpr int times = 24'000;
  for (std::uint32_t number = 0; number < times; ++number) ++seen[shuffled(4, number)];
  EXPECT_EQ(seen.size(), 24u);
  // Chi-squared of 23 degrees of freedom: 1 in 1000 is above 49.7 (printed tables).
  double chi_squared = 0;
  for (const auto& [order, count] : seen) chi_squared += (count - 1000.) * (count - 1000.) / 1000;
  EXPECT_LT(chi_squared, 49.7);
}

TEST(Shuffle, OfOneElementMoreDiffersInTwoPlacesAtMost) {
  for (std::uint32_t number = 0; number < 50; ++number) {
    const auto shorter = shuffled(20, number), longer = shuffled(21, number);
    int different = 0;
    for (std::size_t i = 0; i < shorter.size(); ++i) different += shorter[i] != longer[i] ? 1 : 0;
    EXPECT_LE(different, 1) << number;
  }
}

}  // namespace
}  // namespace vparity::reports
