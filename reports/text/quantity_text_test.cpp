#include "reports/text/quantity_text.h"

#include <gtest/gtest.h>

namespace vparity::reports {
namespace {

TEST(QuantityText, GivesTimesTheirUnit) {
  EXPECT_EQ(time_text(1.5), "1.5 s");
  EXPECT_EQ(time_text(0.00537), "5.37 ms");
  EXPECT_EQ(time_text(42e-6), "42 us");
}

TEST(QuantityText, GivesChangesInPercent) {
  EXPECT_EQ(change_text(0.05), "+5.00%");
  EXPECT_EQ(change_text(-0.5), "-50.00%");
  EXPECT_EQ(change_text(999), "+1e+05%");
}

}  // namespace
}  // namespace vparity::reports
