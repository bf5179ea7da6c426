#include "reports/history/alarms.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace vparity::reports {
namespace {

using ::testing::IsEmpty;
using Values = std::vector<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

Values operator+(Values left, const Values& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// Day n of a calendar whose months have 28 days.
std::string day(std::size_t n) { return fmt::format("2026-{:02}-{:02}", 1 + n / 28, 1 + n % 28); }

class Nights {
 public:
  explicit Nights(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      history.nights.push_back({.run_id = std::to_string(i),
                                .matrix = "m",
                                .started = day(i) + "T02:00:00Z",
                                .fingerprint = "f",
                                .complete = true});
  }

  /// All passed.
  Nights& add(Measure measure, const Values& values, const std::string& key = ",dp=1,tp=2,v=1,") {
    Series series{.measure = measure, .id = std::to_string(history.series.size()), .key = key};
    for (const double value : values)
      series.points.push_back({.status = Status::passed, .value = value});
    history.series.push_back(series);
    return *this;
  }

  HistoryCheck check(const std::vector<AcceptedChange>& accepted = {}) const {
    return judge(history, accepted);
  }

  History history;
};

const Values slower = Values(40, 1e-3) + Values(20, 1.2e-3);

Nights timed(const Values& values) {
  return Nights(values.size()).add(Measure::throughput, values);
}
Nights error_ratios(const Values& values) {
  return Nights(values.size()).add(Measure::parity, values);
}

TEST(Alarm, SaysSinceWhenAndHowMuch) {
  const auto check = timed(slower).check();
  ASSERT_EQ(check.findings.size(), 1u);
  const auto& finding = check.findings[0];
  EXPECT_EQ(finding.series, 0u);
  EXPECT_EQ(finding.unit, Trace::Unit::seconds);
  EXPECT_EQ(finding.last_before, 39u);
  EXPECT_EQ(finding.night, 40u);
  EXPECT_NEAR(finding.before, 1e-3, 1e-12);
  EXPECT_NEAR(finding.after, 1.2e-3, 1e-12);
  EXPECT_NEAR(finding.change(), 0.2, 1e-9);
  EXPECT_TRUE(finding.by_sudden_rise && finding.by_change_point && finding.is_open());
  EXPECT_EQ(check.open_throughput, 1u);
  EXPECT_EQ(exit_code(check), 1);
}

TEST(Alarm, IsNoneOfWhatIsBetterOrBackOrSteady) {
  const auto better = timed(Values(40, 1.2) + Values(20, 1.0)).check();
  EXPECT_EQ(better.better, 1u);
  EXPECT_EQ(exit_code(better), 0);
  const auto back = timed(slower + Values(20, 1e-3)).check();
  EXPECT_EQ(back.back, 1u);
  EXPECT_EQ(back.better, 1u);
  EXPECT_EQ(exit_code(back), 0);
  EXPECT_EQ(back.findings.back().back, 60u);
  const auto steady = timed(Values(60, 1.0)).check();
  EXPECT_THAT(steady.findings, IsEmpty());
  EXPECT_EQ(steady.judged, 1u);
  EXPECT_EQ(exit_code(steady), 0);
}

TEST(Alarm, OfErrorRatiosIsTheirGrowthAboveTheFloor) {
  const auto grown = error_ratios(Values(40, 0.2) + Values(20, 0.8)).check();
  ASSERT_EQ(grown.findings.size(), 1u);
  EXPECT_EQ(grown.open_parity, 1u);
  EXPECT_NEAR(grown.findings[0].after, 0.8, 1e-12);
  EXPECT_THAT(error_ratios(Values(40, 0.001) + Values(20, 0.09)).check().findings, IsEmpty());
  EXPECT_THAT(error_ratios(Values(40, 0.0) + Values(20, 0.0)).check().findings, IsEmpty());
  const auto from_below = error_ratios(Values(40, 0.001) + Values(20, 0.2)).check();
  ASSERT_EQ(from_below.findings.size(), 1u);
  EXPECT_NEAR(from_below.findings[0].before, error_ratio_floor, 1e-15);
}

TEST(Alarm, LeavesFailuresToTheGate) {
  auto nights = error_ratios(Values(40, 0.2) + Values{infinity, 7, 7} + Values(20, 0.2));
  for (const std::size_t night : {40, 41, 42})
    nights.history.series[0].points[night].status = Status::failed;
  EXPECT_THAT(nights.check().findings, IsEmpty());
  EXPECT_THAT(error_ratios(Values(40, 0.2) + Values(3, infinity)).check().findings, IsEmpty());
  auto times = timed(Values(40, 1.0) + Values(3, 5.0));
  for (const std::size_t night : {40, 41, 42})
    times.history.series[0].points[night].status = Status::timeout;
  EXPECT_THAT(times.check().findings, IsEmpty());
  EXPECT_THAT(timed(Values(40, 1.0) + Values(3, 0.0)).check().findings, IsEmpty());
}

TEST(Alarm, AnchorTakesTheMachineOut) {
  auto nights = timed(slower);
  for (std::size_t i = 0; i < 60; ++i) {
    nights.history.nights[i].anchor = "old";
    nights.history.series[0].points[i].anchor = i < 40 ? 2e-3 : 2.4e-3;
  }
  EXPECT_THAT(nights.check().findings, IsEmpty());
  for (std::size_t i = 0; i < 60; ++i) nights.history.series[0].points[i].anchor = 2e-3;
  const auto check = nights.check();
  ASSERT_EQ(check.findings.size(), 1u);
  EXPECT_EQ(check.findings[0].unit, Trace::Unit::ratio);
  EXPECT_NEAR(check.findings[0].after, 0.6, 1e-12);
  EXPECT_EQ(check.open_throughput, 1u);
}

TEST(Alarm, IsNoneBetweenMachines) {
  auto nights = timed(slower);
  for (std::size_t i = 40; i < 60; ++i) nights.history.nights[i].fingerprint = "other";
  EXPECT_THAT(nights.check().findings, IsEmpty());
}

TEST(AcceptedChanges, BeginASegment) {
  const auto nights = timed(slower);
  const auto accepted = [](std::size_t n, const std::string& match = "*",
                           Measure measure = Measure::throughput) {
    return std::vector<AcceptedChange>{{match, measure, day(n), "r", "c"}};
  };
  EXPECT_EQ(exit_code(nights.check(accepted(40))), 0);
  EXPECT_THAT(nights.check(accepted(40)).findings, IsEmpty());
  EXPECT_EQ(exit_code(nights.check(accepted(20))), 1) << "it came later";
  EXPECT_EQ(exit_code(nights.check(accepted(40, "*,tp=4,*"))), 1);
  EXPECT_EQ(exit_code(nights.check(accepted(40, "*", Measure::parity))), 1);
  EXPECT_EQ(exit_code(nights.check(accepted(60))), 1) << "not before there is such a night";
  EXPECT_EQ(nights.check(accepted(53)).judged, 1u) << "seven nights, with that of the day";
  EXPECT_EQ(nights.check(accepted(54)).too_short, 1u);
}

TEST(Alarm, IsNoneOfACaseThatIsGone) {
  auto nights = timed(slower);
  for (std::size_t i = 54; i < 60; ++i) nights.history.series[0].points[i] = {};
  EXPECT_EQ(exit_code(nights.check()), 1) << "six nights that were of other cases alone";
  nights.history.series[0].points[53] = {};
  EXPECT_EQ(nights.check().gone, 1u);
  EXPECT_THAT(nights.check().findings, IsEmpty());
  EXPECT_EQ(nights.check().judged, 0u);
  // An incomplete night, or a night of another matrix, does not make the case gone.
  nights.history.nights[59].complete = false;
  EXPECT_EQ(nights.check().gone, 0u);
  EXPECT_EQ(exit_code(nights.check()), 1);
  nights.history.nights[59].complete = true;
  nights.history.nights[59].matrix = "other";
  EXPECT_EQ(exit_code(nights.check()), 1);
}

TEST(Alarm, IsOneOfACaseThatRoseInSteps) {
  const auto check = timed(Values(40, 1e-3) + Values(20, 1.2e-3) + Values(20, 1.5e-3)).check();
  EXPECT_EQ(check.open_throughput, 1u);
  ASSERT_EQ(check.findings.size(), 2u);
  EXPECT_EQ(check.findings[0].night, 40u);
  EXPECT_EQ(check.findings[1].night, 60u);
}

TEST(Check, CountsWhatItCouldNotJudge) {
  const auto seven = timed(Values(7, 1.0)).check(), six = timed(Values(6, 1.0)).check();
  EXPECT_EQ(seven.judged, 1u);
  EXPECT_EQ(exit_code(seven), 0);
  EXPECT_EQ(six.too_short, 1u);
  EXPECT_EQ(exit_code(six), 77);
  EXPECT_EQ(exit_code(judge({}, {})), 77);
}

TEST(Check, JudgesEachOfManyCasesOnce) {
  Nights nights(60);
  for (int i = 0; i < 200; ++i) nights.add(Measure::throughput, slower);
  const auto check = nights.check();
  EXPECT_EQ(check.judged, 200u);
  std::vector<std::size_t> cases;
  for (const auto& finding : check.findings) cases.push_back(finding.series);
  std::vector<std::size_t> all(200);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_THAT(cases, testing::UnorderedElementsAreArray(all));
}

TEST(Check, NamesOpenOnesFirstAndTheLargestOfThem) {
  const auto check =
      Nights(60)
          .add(Measure::throughput, Values(40, 1.2) + Values(20, 1.0))
          .add(Measure::throughput, Values(40, 1.0) + Values(20, 1.1))
          .add(Measure::throughput, Values(30, 1.0) + Values(20, 1.5) + Values(10, 1.0))
          .add(Measure::parity, Values(40, 0.2) + Values(20, 0.8))
          .check();
  std::vector<std::size_t> order;
  for (const auto& finding : check.findings) order.push_back(finding.series);
  EXPECT_THAT(order, testing::ElementsAre(3, 1, 2, 0, 2));
  EXPECT_EQ(check.open_throughput, 1u);
  EXPECT_EQ(check.open_parity, 1u);
  EXPECT_EQ(check.back, 1u);
  EXPECT_EQ(check.better, 2u);
}

}  // namespace
}  // namespace vparity::reports
