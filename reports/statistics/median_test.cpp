#include "reports/statistics/median.h"

#include <gtest/gtest.h>

namespace vparity::reports {
namespace {

TEST(Median, OfAnOddCountIsTheMiddleValue) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({7}), 7);
}

TEST(Median, OfAnEvenCountIsTheMeanOfTheTwoMiddleValues) {
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({10, 0}), 5);
}

}  // namespace
}  // namespace vparity::reports
