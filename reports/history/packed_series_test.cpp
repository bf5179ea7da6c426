#include "reports/history/packed_series.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace vparity::reports {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(PackedValue, IsAStepOfALogarithmicScale) {
  EXPECT_EQ(packed_value(1), 2 + 40 * 1024);
  EXPECT_EQ(packed_value(2), 2 + 41 * 1024);
  EXPECT_EQ(packed_value(std::exp2(-40)), 2);
  EXPECT_EQ(packed_value(std::exp2(0.5)), 2 + 40 * 1024 + 512);
}

TEST(PackedValue, HasPlacesForWhatIsOutside) {
  EXPECT_EQ(packed_value(Point::missing), 0);
  EXPECT_EQ(packed_value(0), 1);
  EXPECT_EQ(packed_value(1e-13), 1);
  EXPECT_EQ(packed_value(1.6e7), 2 + std::lround((std::log2(1.6e7) + 40) * 1024));
  EXPECT_EQ(packed_value(1.7e7), 65535);
  EXPECT_EQ(packed_value(infinity), 65535);
}

/// Half a step: 2^(1/2048) - 1 = 0.0338 %.
TEST(PackedValue, IsOffByAtMostHalfAStep) {
  double worst = 0;
  for (double value = 1e-9; value < 1e6; value *= 1.0123) {
    const double read = std::exp2((packed_value(value) - 2) / 1024.0 - 40);
    worst = std::max(worst, std::abs(read / value - 1));
  }
  EXPECT_LT(worst, 0.000339);
  EXPECT_GT(worst, 0.0003);
}

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

/// 1 is 40962 = 0xA002; twice that, less 2^16, is what its difference from 0 becomes: it is above
/// 2^15, so -24574 is meant, which is the odd number 2 * 24574 - 1 = 49147 = 0xBFFB.
TEST(PackedSeries, AreDifferencesInPlanes) {
  Series series{.points = {{.status = Status::passed, .value = 1},
                           {},
                           {.status = Status::failed, .value = 1}}};
  const int passed = 1 + static_cast<int>(Status::passed);
  const int failed = 1 + static_cast<int>(Status::failed);
  // To missing: 24574, as 49148 = 0xBFFC.
  EXPECT_EQ(packed_series({&series, 1}),
            bytes({passed, 0, failed, 0xFB, 0xFC, 0xFB, 0xBF, 0xBF, 0xBF}));
}

/// A step up by one is 2, one down is 1.
TEST(PackedSeries, SmallDifferencesAreSmall) {
  const double step = std::exp2(1 / 1024.0);
  Series series{.points = {{.value = 1}, {.value = step}, {.value = 1}, {.value = 1}}};
  EXPECT_EQ(packed_series({&series, 1}), bytes({0, 0, 0, 0, 0xFB, 2, 1, 0, 0xBF, 0, 0, 0}));
}

TEST(PackedSeries, HaveAnchorsIfAnyHas) {
  const std::vector<Series> series{{.points = {{.value = 0}}},
                                   {.points = {{.value = 0, .anchor = 0}}}};
  EXPECT_EQ(packed_series(series), bytes({0, 0, 2, 2, 0, 0, 0, 2, 0, 0}));
}

}  // namespace
}  // namespace vparity::reports
