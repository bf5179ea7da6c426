#include "reports/history/shifts.h"

#include <gmock/gmock.h>

#include <cmath>

namespace vparity::reports {
namespace {

using ::testing::IsEmpty;
using Values = std::vector<double>;

Values operator+(Values left, const Values& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

std::vector<Shift> shifts(const Values& times) {
  Values logarithms;
  for (const double time : times) logarithms.push_back(std::log(time));
  return shifts_of(logarithms);
}

TEST(Shifts, OfNothingAreNone) {
  EXPECT_THAT(shifts({}), IsEmpty());
  EXPECT_THAT(shifts(Values(100, 1.0)), IsEmpty());
}

TEST(Shifts, RiseThatBothRulesSeeIsOne) {
  const auto found = shifts(Values(40, 1.0) + Values(20, 1.2));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].by_sudden_rise);
  EXPECT_TRUE(found[0].by_change_point);
  EXPECT_EQ(found[0].at, 40u);
  EXPECT_NEAR(found[0].after - found[0].before, std::log(1.2), 1e-12);
  EXPECT_LE(found[0].p, 1e-4);
  EXPECT_FALSE(found[0].back);
}

TEST(Shifts, FreshRiseIsSeenSuddenly) {
  const auto found = shifts(Values(40, 1.0) + Values(2, 1.2));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].by_sudden_rise);
  EXPECT_FALSE(found[0].by_change_point);
  EXPECT_FALSE(found[0].p);
}

TEST(Shifts, SmallOneIsSeenLookingBack) {
  const auto found = shifts(Values(40, 1.0) + Values(20, 1.05));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].by_sudden_rise);
  EXPECT_TRUE(found[0].by_change_point);
}

TEST(Shifts, BothRulesOnOneRiseAgreeThoughTheySayAnotherPlace) {
  // It grows over three nights: the sudden rule sees the second of them, the median level later.
  const auto found = shifts(Values(40, 1.0) + Values{1.05, 1.12, 1.15} + Values(30, 1.2));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].by_sudden_rise && found[0].by_change_point);
}

TEST(Shifts, RiseIsBackWithTheLevelBefore) {
  const auto within = shifts(Values(40, 1.0) + Values(40, 1.2) + Values(40, 1.019));
  ASSERT_EQ(within.size(), 2u);
  EXPECT_EQ(within[0].back, 80u);
  EXPECT_FALSE(within[1].is_rise());
  EXPECT_FALSE(within[1].back);
  const auto below = shifts(Values(40, 1.0) + Values(40, 1.2) + Values(40, 0.5));
  EXPECT_EQ(below.at(0).back, 80u);
  const auto partly = shifts(Values(40, 1.0) + Values(40, 1.2) + Values(40, 1.03));
  ASSERT_EQ(partly.size(), 2u);
  EXPECT_FALSE(partly[0].back) << "3 % of the rise are still there";
}

TEST(Shifts, RiseIsBackWithAnyLaterLevel) {
  const auto found = shifts(Values(40, 1.0) + Values(40, 1.1) + Values(40, 1.3) + Values(40, 1.0));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].back, 120u);
  EXPECT_EQ(found[1].back, 120u);
}

TEST(Shifts, LevelBeforeIsThatOfTheRiseItself) {
  // Back from 1.3 to 1.1 is back for the second rise alone.
  const auto found = shifts(Values(40, 1.0) + Values(40, 1.1) + Values(40, 1.3) + Values(40, 1.1));
  ASSERT_EQ(found.size(), 3u);
  EXPECT_FALSE(found[0].back);
  EXPECT_EQ(found[1].back, 120u);
}

TEST(Shifts, FewBadNightsAreOneRiseThatIsBack) {
  const auto found = shifts(Values(40, 1.0) + Values(2, 1.2) + Values(40, 1.0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].by_sudden_rise);
  EXPECT_EQ(found[0].back, 42u);
}

TEST(Shifts, BadNightsThatAreOverAreNoPartOfALaterRise) {
  const auto found = shifts(Values(40, 1.0) + Values(2, 1.2) + Values(5, 1.0) + Values(40, 1.05));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].at, 40u);
  EXPECT_EQ(found[0].back, 42u);
  EXPECT_EQ(found[1].at, 47u);
  EXPECT_FALSE(found[1].by_sudden_rise);
  EXPECT_FALSE(found[1].back);
}

TEST(Shifts, FasterIsSeenLookingBackAlone) {
  EXPECT_THAT(shifts(Values(40, 1.0) + Values(2, 0.5)), IsEmpty());
  const auto found = shifts(Values(40, 1.0) + Values(10, 0.5));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].is_rise());
  EXPECT_FALSE(found[0].by_sudden_rise);
}

TEST(Shifts, FallIsNeverBack) {
  const auto found = shifts(Values(40, 1.0) + Values(40, 0.5) + Values(40, 0.8));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[0].is_rise());
  EXPECT_FALSE(found[0].back);
}

TEST(Shifts, ShortHistoryHasTheSuddenRuleAlone) {
  EXPECT_EQ(fewest_to_judge(), 7u);
  EXPECT_THAT(shifts(Values(4, 1.0) + Values(2, 1.2)), IsEmpty());
  const auto found = shifts(Values(5, 1.0) + Values(8, 1.2));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].by_change_point);
  EXPECT_FALSE(found[0].back) << "open until it is back, though the median before has followed it";
}

}  // namespace
}  // namespace vparity::reports
