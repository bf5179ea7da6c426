#include "reports/statistics/holm.h"

#include <gmock/gmock.h>

namespace vparity::reports {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> adjusted(std::vector<double> values) { return holm_adjusted(values); }

TEST(Holm, MultipliesTheSmallestByAllAndSoOn) {
  // By hand: 4 * 0.01, 3 * 0.013 below that, 2 * 0.03, 0.04 below that.
  EXPECT_THAT(adjusted({0.03, 0.01, 0.04, 0.013}),
              ElementsAre(DoubleEq(0.06), DoubleEq(0.04), DoubleEq(0.06), DoubleEq(0.04)));
}

TEST(Holm, LeavesOneAloneAndStopsAtOne) {
  EXPECT_THAT(adjusted({0.2}), ElementsAre(DoubleEq(0.2)));
  EXPECT_THAT(adjusted({0.9, 0.8}), ElementsAre(1, 1));
  EXPECT_THAT(adjusted({}), IsEmpty());
}

}  // namespace
}  // namespace vparity::reports
