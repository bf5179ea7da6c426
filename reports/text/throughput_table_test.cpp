#include "reports/text/throughput_table.h"

#include <gmock/gmock.h>

namespace vparity::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CaseResult timed(const std::string& variant, const std::string& op, double median_s) {
  CaseResult result;
  result.measured = Timing{};
  result.status = Status::passed;
  result.params = {{"tp", 2},       {"dp", 1},  {"vocab", 151936},     {"dtype", "fp32"},
                   {"tokens", 128}, {"op", op}, {"provider", variant}, {"mode", "fast"}};
  result.timing().variant = variant;
  result.timing().samples_s = {median_s};
  result.timing().median_s = median_s;
  result.timing().median_interval_s = {0.99 * median_s, 1.01 * median_s};
  result.timing().gb_per_s = 12.5;
  result.timing().share_of_floor = 0.96;
  result.timing().own_floor_s = 0.5 * median_s;
  return result;
}

TEST(ThroughputTable, HasALinePerSettingAndCall) {
  CaseResult fast = timed("fast", "forward", 0.0082), other = timed("other", "forward", 0.03);
  fast.timing().speedup = {{"other", 3.66}};
  fast.timing().predicted_speedup = {{"other", 2.67}};
  const auto table = throughput_table({other, fast, timed("fast", "backward", 2e-6)});
  EXPECT_THAT(table, ElementsAre(ElementsAre("tp", "dp", "vocab", "type", "tokens", "op", "kernels",
                                             "median", "GB/s", "floor", "other"),
                                 ElementsAre("2", "1", "151936", "fp32", "128", "fwd", "fast",
                                             "8.2 ms +-1%", "12.5", "96%", "3.66 2.67 50%"),
                                 ElementsAre("2", "1", "151936", "fp32", "128", "bwd", "fast",
                                             "2 us +-1%", "12.5", "96%", "-")));
}

TEST(ThroughputTable, TakesTheFirstVariantIfOursIsNotThere) {
  const auto table = throughput_table({timed("mine", "forward", 1), timed("theirs", "forward", 2)});
  EXPECT_EQ(table.at(1).at(6), "mine");
  EXPECT_EQ(table.at(0).back(), "theirs");
}

TEST(ThroughputTable, IsEmptyWhereNothingWasTimed) {
  EXPECT_THAT(throughput_table({}), IsEmpty());
  EXPECT_THAT(throughput_table({CaseResult{}}), IsEmpty());
}

}  // namespace
}  // namespace vparity::reports
