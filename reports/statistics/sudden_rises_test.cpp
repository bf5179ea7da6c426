#include "reports/statistics/sudden_rises.h"

#include <gmock/gmock.h>

#include <cmath>

namespace vparity::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Values = std::vector<double>;

std::vector<SuddenRise> rises(const Values& times) {
  Values logarithms;
  for (const double time : times) logarithms.push_back(std::log(time));
  return sudden_rises(logarithms, {});
}

std::vector<std::size_t> found_in(const Values& times) {
  std::vector<std::size_t> places;
  for (const auto& rise : rises(times)) places.push_back(rise.at);
  return places;
}

Values operator+(Values left, const Values& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TEST(SuddenRise, IsTwoNightsMoreThanTenPercentAboveTheMedianOfTen) {
  const Values ten(10, 1.0);
  EXPECT_THAT(found_in(ten + Values{1.101, 1.101}), ElementsAre(10));
  EXPECT_THAT(found_in(ten + Values{1.099, 1.2}), IsEmpty());
  EXPECT_THAT(found_in(ten + Values{1.2, 1.099}), IsEmpty());
  EXPECT_THAT(found_in(ten + Values{1.2}), IsEmpty());
  EXPECT_THAT(found_in(ten + Values{1.2, 1, 1.2}), IsEmpty());
  EXPECT_THAT(found_in(ten + Values{0.8, 0.8}), IsEmpty()) << "faster is no rise";
}

TEST(SuddenRise, KnowsTheMedianBefore) {
  // The ten before it are 2 to 11.
  const auto found = sudden_rises(Values{100, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6, 20, 21, 22}, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at, 11u);
  EXPECT_EQ(found[0].before, 6.5);
  EXPECT_EQ(found[0].after, 21);
  EXPECT_FALSE(found[0].back);
}

TEST(SuddenRise, TakesFiveNightsBeforeAtLeast) {
  EXPECT_THAT(found_in(Values(5, 1.0) + Values{1.2, 1.2}), ElementsAre(5));
  EXPECT_THAT(found_in(Values(4, 1.0) + Values{1.2, 1.2}), IsEmpty());
  EXPECT_THAT(found_in({}), IsEmpty());
  EXPECT_THAT(found_in({1}), IsEmpty());
}

TEST(SuddenRise, IsOneHoweverLongItLasts) {
  for (const std::size_t nights : {2, 3, 6, 9, 30})
    EXPECT_THAT(found_in(Values(20, 1.0) + Values(nights, 1.2)), ElementsAre(20)) << nights;
}

TEST(SuddenRise, IsOverWithTheFirstOfThreeNightsThatAreBack) {
  const auto found = rises(Values(20, 1.0) + Values{1.2, 1.2, 1.2, 1.01, 1.3, 1.01, 1});
  ASSERT_EQ(found.size(), 1u);
  // (1.2, 1.01, 1.3) has the median 1.2, (1.01, 1.3, 1.01) has 1.01.
  EXPECT_EQ(found[0].back, 23u);
  EXPECT_NEAR(found[0].after, std::log(1.2), 1e-12);
  EXPECT_FALSE(rises(Values(20, 1.0) + Values{1.2, 1.2, 1.2, 1.01})[0].back);
  EXPECT_FALSE(rises(Values(20, 1.0) + Values{1.2, 1.2, 1.2, 1.03, 1.03, 1.03})[0].back);
  EXPECT_TRUE(rises(Values(20, 1.0) + Values{1.2, 1.2, 0.7, 0.7})[0].back);
}

TEST(SuddenRise, AfterItIsOverIsAnother) {
  EXPECT_THAT(found_in(Values(20, 1.0) + Values{1.2, 1.2, 1, 1, 1, 1.2, 1.2}), ElementsAre(20, 25));
}

TEST(SuddenRise, FromTheNewLevelIsAnother) {
  EXPECT_THAT(found_in(Values(20, 1.0) + Values(20, 1.2) + Values(20, 1.4)), ElementsAre(20, 40));
  EXPECT_THAT(found_in(Values(20, 1.0) + Values(5, 1.2) + Values(20, 1.4)), ElementsAre(20))
      << "none of the two levels was there for ten nights";
}

}  // namespace
}  // namespace vparity::reports
