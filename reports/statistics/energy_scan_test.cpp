#include "reports/statistics/energy_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace vparity::reports {
namespace {

using Values = std::vector<double>;

/// Mean distance of pairs of different elements of one sample.
double within(const Values& sample) {
  double sum = 0;
  for (std::size_t i = 0; i < sample.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) sum += std::abs(sample[i] - sample[j]);
  const auto n = static_cast<double>(sample.size());
  return sum / (n * (n - 1) / 2);
}

double between(const Values& left, const Values& right) {
  double sum = 0;
  for (const double x : left)
    for (const double y : right) sum += std::abs(x - y);
  return sum / static_cast<double>(left.size() * right.size());
}

/// Matteson and James (2014), eq. 5 and 6, as written there.
double statistic(const Values& values, std::size_t at) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(at);
  const Values left(values.begin(), middle), right(middle, values.end());
  const auto m = static_cast<double>(left.size()), n = static_cast<double>(right.size());
  return m * n / (m + n) * (2 * between(left, right) - within(left) - within(right));
}

EnergyScan::Split by_definition(const Values& values, std::size_t fewest) {
  EnergyScan::Split best{.at = 0, .statistic = -1e300};
  const auto [lowest, highest] = std::ranges::minmax(values);
  for (std::size_t at = fewest; at + fewest <= values.size(); ++at) {
    const double here = statistic(values, at) / (highest - lowest);
    if (here > best.statistic) best = {at, here};
  }
  return best;
}

void expect_as_by_definition(const Values& values, std::size_t fewest) {
  EnergyScan scan(values, fewest);
  const auto found = scan.best(scan.order_given()), expected = by_definition(values, fewest);
  EXPECT_EQ(found.at, expected.at) << values.size();
  EXPECT_NEAR(found.statistic, expected.statistic, 1e-9 * (1 + expected.statistic))
      << values.size();
}

TEST(EnergyScan, OfAStepIsTwiceItsHeightTimesTheSides) {
  // Nothing differs within the sides; 2 * 4 / 6 * 2 * |0 - 1|.
  EnergyScan scan(Values{5, 5, 6, 6, 6, 6}, 2);
  const auto best = scan.best(scan.order_given());
  EXPECT_EQ(best.at, 2u);
  EXPECT_DOUBLE_EQ(best.statistic, 8.0 / 3);
}

TEST(EnergyScan, SeesAnotherSpreadOfTheSameLevel) {
  // Left all 0; right +-1. By hand: 2 * 1 - 0 - (4 * 2 / 6) = 2/3, times 4 * 4 / 8, over range 2.
  EnergyScan scan(Values{0, 0, 0, 0, 1, -1, 1, -1}, 3);
  const auto best = scan.best(scan.order_given());
  EXPECT_EQ(best.at, 4u);
  EXPECT_NEAR(best.statistic, 2.0 / 3 * 2 / 2, 1e-10);
}

TEST(EnergyScan, IsAsTheDefinitionSays) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::cauchy_distribution<double> heavy;
  for (const std::size_t size : {6, 7, 20, 33, 64, 65, 130}) {
    Values steady(size), wild(size), tied(size);
    std::ranges::generate(steady, [&] { return normal(random); });
    std::ranges::generate(wild, [&] { return heavy(random); });
    std::ranges::generate(tied, [&] { return std::round(2 * normal(random)); });
    for (std::size_t i = size / 3; i < size; ++i) steady[i] += 1;
    for (const auto& values : {steady, wild, tied})
      for (const std::size_t fewest : {2, 3}) expect_as_by_definition(values, fewest);
  }
}

TEST(EnergyScan, OfAnotherOrderIsThatOfTheSeriesInThatOrder) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform;
  Values values(40);
  std::ranges::generate(values, [&] { return uniform(random); });
  std::vector<std::uint32_t> places(values.size());
  std::iota(places.begin(), places.end(), 0U);
  EnergyScan scan(values, 3);
  for (int i = 0; i < 10; ++i) {
    std::ranges::shuffle(places, random);
    Values shuffled;
    std::vector<std::uint32_t> order;
    for (const auto place : places) {
      shuffled.push_back(values[place]);
      order.push_back(scan.order_given()[place]);
    }
    const auto found = scan.best(order), expected = by_definition(shuffled, 3);
    EXPECT_EQ(found.at, expected.at);
    EXPECT_NEAR(found.statistic, expected.statistic, 1e-9);
  }
}

TEST(EnergyScan, DoesNotMindUnitsNorWhereZeroIs) {
  const Values values{3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
  Values other;
  for (const double value : values) other.push_back(1e-5 * value - 7e-3);
  EnergyScan one(values, 3), two(other, 3);
  const auto found = one.best(one.order_given()), again = two.best(two.order_given());
  EXPECT_EQ(found.at, again.at);
  EXPECT_NEAR(found.statistic, again.statistic, 1e-9);
}

TEST(EnergyScan, TakesTenYearsOfNights) {
  Values values(3650, 1.0);
  std::fill(values.begin() + 3000, values.end(), 2.0);
  EnergyScan scan(values, 3);
  const auto best = scan.best(scan.order_given());
  EXPECT_EQ(best.at, 3000u);
  EXPECT_NEAR(best.statistic, 2.0 * 3000 * 650 / 3650, 1e-6);
}

TEST(EnergyScan, TakesMoreValuesThanItsWidestSumsHaveBitsForFortyEach) {
  Values values(100'000, 0.0);
  std::fill(values.begin() + 50'000, values.end(), 1.0);
  EnergyScan scan(values, 3);
  const auto best = scan.best(scan.order_given());
  EXPECT_EQ(best.at, 50'000u);
  EXPECT_NEAR(best.statistic, 50'000, 1e-3);
}

}  // namespace
}  // namespace vparity::reports
