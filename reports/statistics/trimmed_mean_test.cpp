#include "reports/statistics/trimmed_mean.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace vparity::reports {
namespace {

TEST(TrimmedMean, OfFewValuesIsTheMeanWithItsStandardError) {
  const auto estimate = trimmed_mean(std::vector<double>{1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(estimate.mean, 2.5);
  // Deviations squared: 2.25 + 0.25 + 0.25 + 2.25 = 5; 5 / 3 / 4.
  EXPECT_DOUBLE_EQ(estimate.standard_error, std::sqrt(5.0 / 12));
  EXPECT_DOUBLE_EQ(estimate.degrees_of_freedom, 3);
}

TEST(TrimmedMean, LeavesOutATenthAtEachEnd) {
  // Kept: 2..9, mean 5.5. Winsorised: 2 2 3 4 5 6 7 8 9 9, mean 5.5, squares 2 (2 * 3.5^2 + 2.5^2 +
  // 1.5^2 + 0.5^2) = 66.5; by 8 * 7.
  const auto estimate = trimmed_mean(std::vector<double>{1000, 2, 3, 4, 5, 6, 7, 8, 9, -50});
  EXPECT_DOUBLE_EQ(estimate.mean, 5.5);
  EXPECT_DOUBLE_EQ(estimate.standard_error, std::sqrt(66.5 / 56));
  EXPECT_DOUBLE_EQ(estimate.degrees_of_freedom, 7);
}

TEST(TrimmedMean, OfEqualValuesIsExactlyThatValue) {
  const auto estimate = trimmed_mean(std::vector<double>(7, 0.1));
  EXPECT_EQ(estimate.mean, 0.1);
  EXPECT_EQ(estimate.standard_error, 0);
}

}  // namespace
}  // namespace vparity::reports
