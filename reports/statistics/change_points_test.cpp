#include "reports/statistics/change_points.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace vparity::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Values = std::vector<double>;

struct Level {
  std::size_t nights;
  double value;
};
Values levels(std::initializer_list<Level> all) {
  Values values;
  for (const auto& level : all) values.insert(values.end(), level.nights, level.value);
  return values;
}

template <class Noise>
Values with_noise(Values values, Noise noise, unsigned seed, double scale) {
  std::mt19937_64 random(seed);
  for (double& value : values) value += scale * noise(random);
  return values;
}

std::vector<std::size_t> found_in(const Values& values, const ChangePointCriteria& criteria = {}) {
  std::vector<std::size_t> places;
  for (const auto& point : change_points(values, criteria)) places.push_back(point.at);
  return places;
}

TEST(ChangePoints, OfASeriesThatNeverChangesAreNone) {
  EXPECT_THAT(found_in({}), IsEmpty());
  EXPECT_THAT(found_in({1}), IsEmpty());
  EXPECT_THAT(found_in(Values(365, 0.25)), IsEmpty());
}

TEST(ChangePoints, OfAStepWithoutScatterIsTheStep) {
  const auto points = change_points(levels({{30, 1}, {20, 1.05}}), {});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].at, 30u);
  EXPECT_EQ(points[0].before, 1);
  EXPECT_EQ(points[0].after, 1.05);
  EXPECT_EQ(points[0].p, 1e-4);
}

TEST(ChangePoints, TakeThreeNightsOnEachSide) {
  // 2 / C(303, 3) is 4e-7.
  EXPECT_THAT(found_in(levels({{300, 0}, {3, 0.1}})), ElementsAre(300));
  EXPECT_THAT(found_in(levels({{3, 0}, {300, 0.1}})), ElementsAre(3));
  // Of the 102 * 101 / 2 places of two others, the last three and the first three hold 3 each:
  // 1e-3.
  EXPECT_THAT(found_in(levels({{100, 0}, {2, 0.1}})), IsEmpty());
  EXPECT_THAT(found_in(levels({{2, 0}, {100, 0.1}})), IsEmpty());
}

TEST(ChangePoints, TakeAsManyNightsAsChanceNeeds) {
  // 2 / C(16, 8) is above 1e-4; 2 / C(24, 12) is 7e-7.
  EXPECT_THAT(found_in(levels({{8, 0}, {8, 1}})), IsEmpty());
  EXPECT_THAT(found_in(levels({{12, 0}, {12, 1}})), ElementsAre(12));
  // 2 / C(20, 3) is 2e-3.
  EXPECT_THAT(found_in(levels({{17, 0}, {3, 1}})), IsEmpty());
}

TEST(ChangePoints, AreOfTwoPercentAtLeast) {
  EXPECT_THAT(found_in(levels({{50, 0}, {50, std::log(1.019)}})), IsEmpty());
  EXPECT_THAT(found_in(levels({{50, 0}, {50, std::log(1.021)}})), ElementsAre(50));
  EXPECT_THAT(found_in(levels({{50, 0}, {50, -std::log(1.021)}})), ElementsAre(50));
  // Also where they are found on the way to a larger one: 1 %, then 5 %.
  const auto points = change_points(levels({{40, 0}, {40, 0.01}, {40, 0.06}}), {});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].at, 80u);
  EXPECT_NEAR(points[0].before, 0.005, 0.006);
}

TEST(ChangePoints, OfTwoStepsAreBoth) {
  EXPECT_THAT(found_in(levels({{40, 0}, {40, 0.1}, {40, 0.2}})), ElementsAre(40, 80));
  EXPECT_THAT(found_in(levels({{40, 0}, {40, 0.1}, {40, 0}})), ElementsAre(40, 80));
  const auto points = change_points(levels({{40, 0}, {40, 0.1}, {40, 0.04}}), {});
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].after, 0.1);
  EXPECT_EQ(points[1].before, 0.1);
  EXPECT_EQ(points[1].after, 0.04);
}

TEST(ChangePoints, OfOutliersAreNone) {
  for (const std::size_t at : {0, 50, 99}) {
    auto values = with_noise(Values(100), std::normal_distribution<double>(), 1, 0.01);
    values[at] = 5;
    EXPECT_THAT(found_in(values), IsEmpty()) << at;
    values[(at + 37) % 100] = -5;
    EXPECT_THAT(found_in(values), IsEmpty()) << at;
  }
  auto alone = Values(100, 1.0);
  alone[60] = 2;
  EXPECT_THAT(found_in(alone), IsEmpty());
}

TEST(ChangePoints, OutlierDoesNotHideAStep) {
  auto values =
      with_noise(levels({{60, 0}, {60, 0.05}}), std::normal_distribution<double>(), 2, 0.01);
  values[20] = 0.5;
  EXPECT_THAT(found_in(values), ElementsAre(60));
}

TEST(ChangePoints, DisturbedNightsDoNotHideAStep) {
  auto values =
      with_noise(levels({{60, 0}, {12, 0.05}}), std::normal_distribution<double>(), 3, 0.01);
  for (const std::size_t night : {5, 22, 41, 66}) values[night] = 0.5;
  EXPECT_THAT(found_in(values), ElementsAre(60));
}

TEST(ChangePoints, OfAlternationAreNone) {
  Values values;
  for (int i = 0; i < 200; ++i) values.push_back(i % 2 == 0 ? 0 : 0.1);
  EXPECT_THAT(found_in(values), IsEmpty());
}

TEST(ChangePoints, OfADriftAreSoManyAsItHasTwoPercents) {
  Values values;
  for (int i = 0; i < 365; ++i) values.push_back(2e-4 * i);
  const auto points = change_points(values, {});
  // 7.3 % in all: medians 2 % apart fit in at most four segments.
  EXPECT_GE(points.size(), 1u);
  EXPECT_LE(points.size(), 3u);
  for (const auto& point : points) EXPECT_GE(point.after - point.before, std::log(1.02));
}

TEST(ChangePoints, InHeavyTailsAreThoseOfTheLevel) {
  const std::student_t_distribution<double> heavy(2);
  int in_noise = 0, steps = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    in_noise += found_in(with_noise(Values(200), heavy, seed, 0.01)).empty() ? 0 : 1;
    const auto found = found_in(with_noise(levels({{100, 0}, {100, 0.05}}), heavy, seed, 0.01));
    steps += found.size() == 1 && std::abs(static_cast<double>(found[0]) - 100) <= 5 ? 1 : 0;
  }
  EXPECT_LE(in_noise, 1);
  EXPECT_GE(steps, 48);
}

TEST(ChangePoints, MirroredAreTheSame) {
  const auto values =
      with_noise(levels({{50, 0}, {70, 0.05}}), std::normal_distribution<double>(), 5, 0.01);
  Values upside_down;
  for (const double value : values) upside_down.push_back(-value);
  EXPECT_THAT(found_in(values), ElementsAre(50));
  EXPECT_EQ(found_in(upside_down), found_in(values));
}

TEST(ChangePoints, TakeTheCriteriaTheyAreGiven) {
  const auto values = levels({{30, 0}, {30, 0.05}});
  EXPECT_THAT(found_in(values, {.smallest = 0.06}), IsEmpty());
  EXPECT_THAT(found_in(values, {.fewest = 31}), IsEmpty());
  EXPECT_THAT(found_in(levels({{3, 0}, {3, 1}}), {.level = 0.1}), ElementsAre(3));
}

}  // namespace
}  // namespace vparity::reports
