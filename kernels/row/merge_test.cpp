#include "row/sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace vparity {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr RowSums identity{-infinity, 0, 0, 0, 0};

using Partials = std::vector<Partial<RowSums>>;

/// The definition of semantics 2 in long double, centred at `max`.
struct ExactSums {
  long double s = 0, u = 0, a = 0;
};
ExactSums exact(const std::vector<float>& f, float max, float temperature) {
  ExactSums sums;
  for (const float x : f) {
    const long double z = (static_cast<long double>(x) - max) / temperature;
    sums.s += std::exp(z);
    sums.u += std::exp(z) * z;
    sums.a += z;
  }
  return sums;
}

Partial<RowSums> partial(const std::vector<float>& f, float temperature) {
  const float max = *std::ranges::max_element(f);
  const ExactSums sums = exact(f, max, temperature);
  return {{max, static_cast<double>(sums.s), static_cast<double>(sums.u),
           static_cast<double>(sums.a), static_cast<std::int32_t>(f.size())}};
}

void expect_equal(const FullRowSums& a, const FullRowSums& b) {
  EXPECT_EQ(a.max, b.max);
  EXPECT_EQ(a.s, b.s);
  EXPECT_EQ(a.u, b.u);
  EXPECT_EQ(a.a, b.a);
  EXPECT_EQ(a.n, b.n);
}

TEST(Merge, EveryGroupingGivesTheWholeRowsSums) {
  std::mt19937 random(20260916);
  std::normal_distribution<float> normal(0, 20);
  for (const float temperature : {1.0F, 0.3F, 7.0F}) {
    std::vector<float> row(24);
    for (float& x : row) x = normal(random);
    const FullRowSums whole = merge(Partials{partial(row, temperature)}, temperature);
    for (const std::ptrdiff_t width : {1, 2, 3, 8, 12}) {
      Partials shards;
      for (auto at = row.begin(); at != row.end(); at += width) {
        shards.push_back(partial({at, at + width}, temperature));
      }
      const FullRowSums merged = merge(shards, temperature);
      const ExactSums expected = exact(row, whole.max, temperature);
      EXPECT_EQ(merged.max, whole.max);
      EXPECT_EQ(merged.n, 24);
      // Each step rounds a few times; u and a sum terms of one sign.
      EXPECT_NEAR(merged.s, static_cast<double>(expected.s), 1e-13 * merged.s);
      EXPECT_NEAR(merged.u, static_cast<double>(expected.u), 1e-13 * std::abs(merged.u));
      EXPECT_NEAR(merged.a, static_cast<double>(expected.a), 1e-13 * std::abs(merged.a));
    }
  }
}

TEST(Merge, TheIdentityChangesNothingOnEitherSide) {
  const Partial<RowSums> some{{3, 1.5, -0.25, -2, 4}};
  const FullRowSums alone = merge(Partials{some}, 0.5F);
  expect_equal(alone, {3, 1.5, -0.25, -2, 4});
  expect_equal(merge(Partials{{identity}, some}, 0.5F), alone);
  expect_equal(merge(Partials{some, {identity}, {identity}}, 0.5F), alone);
  expect_equal(merge(Partials{{identity}, {identity}}, 0.5F), {-infinity, 0, 0, 0, 0});
  expect_equal(merge({}, 0.5F), {-infinity, 0, 0, 0, 0});
}

TEST(Merge, NanSurvivesOnEitherSide) {
  const Partial<RowSums> some{{3, 1.5, -0.25, -2, 4}};
  const Partial<RowSums> poisoned{{nan, nan, nan, nan, 1}};
  EXPECT_TRUE(std::isnan(merge(Partials{some, poisoned}, 1).max));
  EXPECT_TRUE(std::isnan(merge(Partials{poisoned, some}, 1).max));
  EXPECT_TRUE(std::isnan(merge(Partials{{identity}, poisoned, some, some}, 1).max));
}

TEST(Merge, ATinyTemperatureDoesNotOverflow) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float huge = std::numeric_limits<float>::max();
  const FullRowSums merged = merge(Partials{{{-huge, 2, 0, 0, 2}}, {{huge, 1, 0, 0, 1}}}, tiny);
  EXPECT_EQ(merged.s, 1);
  EXPECT_EQ(merged.u, 0);
  EXPECT_TRUE(std::isfinite(merged.a));
}

}  // namespace
}  // namespace vparity
