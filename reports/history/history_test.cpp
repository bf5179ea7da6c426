#include "reports/history/history.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace vparity::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double none = Point::missing;

CaseResult checked(std::vector<double> error_ratios) {
  CaseResult result;
  result.id = "c";
  result.key = ",tp=2,";
  result.status = Status::passed;
  for (const double error_ratio : error_ratios)
    result.outputs.push_back({.name = "loss", .error_ratio = error_ratio, .worst = {}});
  return result;
}

CaseResult timed(std::vector<double> samples) {
  CaseResult result;
  result.measured = Timing{};
  result.id = "c";
  result.key = ",tp=2,";
  result.status = Status::passed;
  result.repeat = "vparity run m.json --case c";
  result.timing().variant = "fast";
  result.timing().samples_s = std::move(samples);
  return result;
}

Report report_of(std::vector<CaseResult> cases) {
  Report report;
  report.run.id = "r";
  report.run.matrix = "nightly";
  report.run.started = "2026-09-16T08:05:03Z";
  report.run.complete = true;
  report.run.exit_code = 0;
  report.provenance = {{"version", "0.1.0"}, {"git", {{"revision", "abc"}, {"dirty", true}}}};
  report.fingerprint = "f";
  report.cases = std::move(cases);
  return report;
}

TEST(History, NightKnowsItsRunAndBuild) {
  const auto night = night_of(report_of({}), nullptr).nights.at(0);
  EXPECT_EQ(night.run_id, "r");
  EXPECT_EQ(night.matrix, "nightly");
  EXPECT_EQ(night.started, "2026-09-16T08:05:03Z");
  EXPECT_EQ(night.revision, "abc");
  EXPECT_TRUE(night.dirty);
  EXPECT_EQ(night.fingerprint, "f");
  EXPECT_EQ(night.anchor, "");
  EXPECT_TRUE(night.complete);
  EXPECT_EQ(night.exit_code, 0);
}

TEST(History, BuildWithoutRevisionIsCalledByItsVersion) {
  auto report = report_of({});
  EXPECT_EQ(build_name(report), "abc-dirty");
  report.provenance["git"] = {{"revision", nullptr}, {"dirty", nullptr}};
  EXPECT_EQ(build_name(report), "0.1.0");
}

TEST(History, ParityIsTheLargestErrorRatioOfTheOutputs) {
  const double infinite = std::numeric_limits<double>::infinity();
  const auto value = [](const CaseResult& result) {
    return night_of(report_of({result}), nullptr).series.at(0).points.at(0).value;
  };
  EXPECT_EQ(value(checked({0.25, 0.5, 0.125})), 0.5);
  EXPECT_EQ(value(checked({0.25, infinite})), infinite);
  EXPECT_TRUE(std::isnan(value(checked({}))));
}

TEST(History, ThroughputIsTheMedianWhereItCanBeCompared) {
  const auto point = [](const CaseResult& result) {
    return night_of(report_of({result}), nullptr).series.at(0).points.at(0);
  };
  EXPECT_EQ(point(timed({3, 1, 2})).value, 2);
  EXPECT_TRUE(std::isnan(point(timed({3, 1, 2})).anchor));
  EXPECT_TRUE(std::isnan(point(timed({3, 1})).value)) << "two samples have no median to go by";
  auto failed = timed({3, 1, 2});
  failed.status = Status::failed;
  EXPECT_TRUE(std::isnan(point(failed).value));
  EXPECT_EQ(point(failed).status, Status::failed);
}

TEST(History, TimeOfACaseThatIsWrongIsNoTime) {
  auto wrong = checked({2});
  wrong.status = Status::failed;
  const auto night = night_of(report_of({wrong, timed({3, 1, 2})}), nullptr);
  EXPECT_EQ(night.series.at(0).points.at(0).value, 2);
  EXPECT_TRUE(std::isnan(night.series.at(1).points.at(0).value));
}

TEST(History, AnchorStandsBesideTheTimeOfTheSameCase) {
  const auto anchor = report_of({timed({1, 4, 9})});
  const auto night = night_of(report_of({checked({0.5}), timed({3, 1, 2})}), &anchor);
  EXPECT_EQ(night.nights.at(0).anchor, "abc-dirty");
  EXPECT_TRUE(std::isnan(night.series.at(0).points.at(0).anchor));
  EXPECT_EQ(night.series.at(1).points.at(0).anchor, 4);
  EXPECT_EQ(night.series.at(1).variant, "fast");
  EXPECT_EQ(night.series.at(1).repeat, "vparity run m.json --case c");
}

/// Nights with a machine and an anchor each, and one series over them.
History history_of(std::vector<Night> nights, Measure measure, std::vector<Point> points) {
  return {
      .nights = std::move(nights),
      .series = {{.measure = measure, .id = "c", .key = ",tp=2,", .points = std::move(points)}}};
}

Night night_on(const std::string& machine, const std::string& anchor = "") {
  return {.fingerprint = machine, .anchor = anchor};
}

TEST(Trace, IsOfTheMachineOfTheNewestNight) {
  const auto history = history_of(
      {night_on("a"), night_on("b"), night_on("a"), night_on("b")}, Measure::throughput,
      {{Status::passed, 1}, {Status::passed, 2}, {Status::passed, 3}, {Status::passed, 4}});
  const auto trace = trace_of(history, history.series[0]);
  EXPECT_EQ(trace.unit, Trace::Unit::seconds);
  EXPECT_THAT(trace.nights, ElementsAre(1, 3));
  EXPECT_THAT(trace.values, ElementsAre(2, 4));
}

TEST(Trace, NightsWithoutTheCaseOrWithoutAValueAreMissing) {
  const auto history =
      history_of({night_on("a"), night_on("a"), night_on("a"), night_on("b")}, Measure::parity,
                 {{Status::passed, 0.5}, {Status::crashed, none}, {Status::failed, 3}, {{}, none}});
  const auto trace = trace_of(history, history.series[0]);
  EXPECT_EQ(trace.unit, Trace::Unit::error_ratio);
  EXPECT_THAT(trace.nights, ElementsAre(0, 2)) << "the newest night with the case is the third";
  EXPECT_THAT(trace.values, ElementsAre(0.5, 3));
}

TEST(Trace, IsTheRatioToTheAnchorOfTheNewestNight) {
  const auto history = history_of({night_on("a"), night_on("a", "old"), night_on("a", "new"),
                                   night_on("a", "new"), night_on("a", "new")},
                                  Measure::throughput,
                                  {{Status::passed, 1},
                                   {Status::passed, 6, 2},
                                   {Status::passed, 6, 3},
                                   {Status::passed, 6, none},
                                   {Status::passed, 5, 4}});
  const auto trace = trace_of(history, history.series[0]);
  EXPECT_EQ(trace.unit, Trace::Unit::ratio);
  EXPECT_THAT(trace.nights, ElementsAre(2, 4));
  EXPECT_THAT(trace.values, ElementsAre(2, 1.25));
}

TEST(Trace, ErrorRatiosKnowNoAnchor) {
  const auto history = history_of({night_on("a"), night_on("a", "new")}, Measure::parity,
                                  {{Status::passed, 0.5}, {Status::passed, 0.25}});
  EXPECT_THAT(trace_of(history, history.series[0]).values, ElementsAre(0.5, 0.25));
}

TEST(Trace, SeriesThatNeverRanIsEmpty) {
  const auto history = history_of({night_on("a")}, Measure::parity, {{}});
  EXPECT_THAT(trace_of(history, history.series[0]).values, IsEmpty());
}

}  // namespace
}  // namespace vparity::reports
