#include "reports/statistics/split_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "reports/statistics/energy_scan.h"

namespace vparity::reports {
namespace {

using Values = std::vector<double>;

Values step(std::size_t before, std::size_t after) {
  Values values(before, 0.0);
  values.resize(before + after, 1.0);
  return values;
}

/// In units of the values.
double statistic_of(const Values& values, std::size_t fewest = 3) {
  EnergyScan scan(values, fewest);
  const auto [lowest, highest] = std::ranges::minmax(values);
  return scan.best(scan.order_given()).statistic * (highest - lowest);
}

TEST(SplitBound, IsNeverBelowTheShareOfAllOrders) {
  for (const std::size_t ones : {3, 5, 8})
    for (std::size_t zeros = ones; zeros + ones <= 16; zeros += 2) {
      auto values = step(zeros, ones);
      Values statistics;
      do statistics.push_back(statistic_of(values));
      while (std::ranges::next_permutation(values).found);
      std::ranges::sort(statistics);
      for (const double share : {1.0, 0.8, 0.6, 0.4, 0.2}) {
        const double least = share * statistics.back();
        const auto first = std::ranges::lower_bound(statistics, least - 1e-9);
        const auto as_large = static_cast<double>(statistics.end() - first);
        EXPECT_GE(split_bound(values, 3, least), as_large / static_cast<double>(statistics.size()))
            << zeros << " " << ones << " " << share;
      }
    }
}

/// With 5000 random orders.
template <class Noise>
void expect_above_random_orders(Noise noise, std::size_t size, std::size_t shifted, double shift) {
  std::mt19937_64 random(5);
  Values values(size);
  for (double& value : values) value = noise(random);
  for (std::size_t i = 0; i < shifted; ++i) values[i] += shift;
  constexpr int orders = 5000;
  Values statistics;
  for (int i = 0; i < orders; ++i) {
    std::ranges::shuffle(values, random);
    statistics.push_back(statistic_of(values));
  }
  std::ranges::sort(statistics);
  for (const int place : {0, 2500, 4500, 4950, 4995})
    EXPECT_GE(split_bound(values, 3, statistics[place]),
              static_cast<double>(orders - place) / orders)
        << place;
}

TEST(SplitBound, IsNeverBelowTheShareOfRandomOrders) {
  expect_above_random_orders(std::normal_distribution<double>(), 50, 0, 0);
  expect_above_random_orders(std::normal_distribution<double>(), 50, 5, 10);
  expect_above_random_orders(std::normal_distribution<double>(), 200, 100, 5);
  expect_above_random_orders(std::cauchy_distribution<double>(), 80, 0, 0);
}

TEST(SplitBound, OfOneEvenSplitIsThatOfManyDraws) {
  // 50 zeros and 50 ones, split 50 to 50 alone, one range: reach 50 * 51 / 2500 = 1.02, exponent
  // 50 / 1.02 = 49.0196, share sqrt(1 - 2 / 49.0196) = 0.979388,
  // e^(-48.0092) * 1.979388 / 0.020612 = 1.35604e-19.
  EXPECT_NEAR(split_bound(step(50, 50), 50, 50) / 1.35604e-19, 1, 1e-4);
}

TEST(SplitBound, OfAShortSideIsThatOfASumOfFew) {
  // 3 ones of 1000 come first or last with 2 / C(1000, 3) = 1.2e-8. The sum over m by a second
  // program after the formulas: 1.08e-7 of m = 3, the rest of 4 and more.
  EXPECT_NEAR(split_bound(step(997, 3), 3, 5.982) / 1.7433728e-7, 1, 1e-6);
}

TEST(SplitBound, DoesNotMindUnitsNorWhereZeroIs) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> normal;
  Values values(60), other;
  for (std::size_t i = 0; i < 60; ++i) values[i] = normal(random) + (i < 30 ? 0 : 8);
  for (const double value : values) other.push_back(-1e-5 * value + 3);
  const double bound = split_bound(values, 3, statistic_of(values));
  EXPECT_LT(bound, 1e-5);
  EXPECT_NEAR(split_bound(other, 3, statistic_of(other)) / bound, 1, 1e-6);
}

}  // namespace
}  // namespace vparity::reports
