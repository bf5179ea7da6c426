#include "reports/history/accepted_changes.h"

#include <gtest/gtest.h>

namespace vparity::reports {
namespace {

constexpr const char* newest = "2026-11-30T02:15:00Z";

AcceptedChange accepted(const std::string& match, const std::string& from,
                        Measure measure = Measure::throughput) {
  return {.match = match, .measure = measure, .from = from, .reason = "r", .commit = "abcdef0"};
}

Series series(const std::string& key, Measure measure = Measure::throughput) {
  return {.measure = measure, .id = "c", .key = key};
}

TEST(AcceptedChange, IsOfTheCasesThatItMatchesInItsMeasure) {
  const auto one = accepted("*,tp=2,*", "2026-01-01");
  EXPECT_TRUE(matches(one, series(",dp=1,tp=2,vocab=7,")));
  EXPECT_FALSE(matches(one, series(",dp=1,tp=4,vocab=7,")));
  EXPECT_FALSE(matches(one, series(",dp=1,tp=2,vocab=7,", Measure::parity)));
  const History history{.series = {series(",dp=1,tp=3,"), series(",dp=1,tp=2,"),
                                   series(",dp=1,tp=2,", Measure::parity)}};
  EXPECT_EQ(count_matches(one, history), 1u);
}

TEST(AcceptedChange, LastDayCounts) {
  const std::vector<AcceptedChange> all{accepted("*", "2026-05-01"), accepted("*", "2026-09-01"),
                                        accepted("*", "2026-07-01"),
                                        accepted("*,tp=4,*", "2026-10-01")};
  EXPECT_EQ(accepted_from(all, series(",dp=1,tp=2,v=1,"), newest), "2026-09-01");
  EXPECT_EQ(accepted_from(all, series(",dp=1,tp=4,v=1,"), newest), "2026-10-01");
  EXPECT_EQ(accepted_from({}, series(",dp=1,"), newest), "");
}

TEST(AcceptedChange, IsNotInForceBeforehand) {
  EXPECT_TRUE(is_in_force(accepted("*", "2026-11-30"), newest)) << "the night is of that day";
  EXPECT_FALSE(is_in_force(accepted("*", "2026-12-01"), newest));
  EXPECT_EQ(accepted_from({accepted("*", "2026-12-01"), accepted("*", "2026-01-01")},
                          series(",dp=1,"), newest),
            "2026-01-01");
}

}  // namespace
}  // namespace vparity::reports
