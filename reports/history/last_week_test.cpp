#include "reports/history/last_week.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <cmath>

namespace vparity::reports {
namespace {

using testing::Eq;
using testing::Optional;

/// Nights of one machine, a day apart and all complete, and one series of error ratios.
History history_of(const std::vector<double>& error_ratios) {
  History history{.series = {{.id = "c"}}};
  for (const double error_ratio : error_ratios) {
    const auto day = history.nights.size() + 1;
    history.nights.push_back({.started = fmt::format("2026-11-{:02}T02:00:00Z", day),
                              .fingerprint = "f",
                              .complete = true});
    history.series[0].points.push_back({.status = Status::passed, .value = error_ratio});
  }
  return history;
}

WeekChange change_of(const History& history) {
  return week_change(history, history.series[0], last_week(history));
}

TEST(LastWeek, IsTheLastSevenNights) {
  auto history = history_of(std::vector<double>(9, 1));
  auto week = last_week(history);
  EXPECT_EQ(week.first, 2U);
  EXPECT_THAT(week.before, Optional(1U));
  EXPECT_THAT(week.now, Optional(8U));
  history.nights[8].complete = history.nights[1].complete = history.nights[0].complete = false;
  week = last_week(history);
  EXPECT_THAT(week.before, Optional(1U));  // none before is complete: the newest
  EXPECT_THAT(week.now, Optional(7U));
}

TEST(LastWeek, IsOfDaysHoweverManyNightsTheyHave) {
  auto history = history_of(std::vector<double>(4, 1));
  const auto first_after = [&history](std::vector<const char*> times) {
    for (std::size_t i = 0; i < times.size(); ++i) history.nights[i].started = times[i];
    return last_week(history).first;
  };
  // A weekly run; some on one day; a night that begins later than the one a week after it.
  EXPECT_EQ(first_after({"2026-11-08T02:00:00Z", "2026-11-15T02:00:00Z", "2026-11-22T02:00:00Z",
                         "2026-11-29T02:00:00Z"}),
            3U);
  EXPECT_EQ(first_after({"2026-11-20T02:00:00Z", "2026-11-29T02:00:00Z", "2026-11-29T02:10:00Z",
                         "2026-11-29T02:20:00Z"}),
            1U);
  EXPECT_EQ(first_after({"2026-02-22T02:30:00Z", "2026-02-23T02:00:00Z", "2026-02-28T02:00:00Z",
                         "2026-03-01T02:00:00Z"}),
            1U);
}

TEST(LastWeek, OfAFewNightsHasNoneBefore) {
  EXPECT_THAT(last_week(history_of({1, 1})).before, Eq(std::nullopt));
  EXPECT_THAT(last_week(history_of({1, 1})).now, Optional(1U));
  EXPECT_THAT(last_week({}).now, Eq(std::nullopt));
}

/// Before: the last ten of eleven nights, whose median is that of 2, ..., 11.
TEST(WeekChange, HasMediansOnBothSides) {
  std::vector<double> error_ratios;
  for (int i = 1; i <= 11; ++i) error_ratios.push_back(i);
  for (int i = 1; i <= 7; ++i) error_ratios.push_back(100 * i);
  const auto change = change_of(history_of(error_ratios));
  EXPECT_EQ(change.value_before, 6.5);
  EXPECT_EQ(change.value_now, 400);
  EXPECT_EQ(change.value_newest, 700);
}

TEST(WeekChange, ComparesNothingAcrossMachines) {
  auto history = history_of({5, 5, 1, 1, 1, 1, 1, 1, 1});
  history.nights[0].fingerprint = history.nights[1].fingerprint = "other";
  const auto change = change_of(history);
  EXPECT_TRUE(std::isnan(change.value_before));
  EXPECT_EQ(change.value_now, 1);
}

TEST(WeekChange, SaysWhatACaseWasAndIs) {
  auto history = history_of(std::vector<double>(8, 1));
  auto& points = history.series[0].points;
  points[7].status = Status::failed;
  EXPECT_THAT(change_of(history).before, Optional(Status::passed));
  EXPECT_THAT(change_of(history).now, Optional(Status::failed));
  points[0] = {};
  EXPECT_THAT(change_of(history).before, Eq(std::nullopt));
}

TEST(WeekChange, CaseIsGoneOnceNoNightOfAWeekHasIt) {
  auto history = history_of(std::vector<double>(16, 1));
  auto& points = history.series[0].points;
  for (std::size_t i = 10; i < 16; ++i) points[i] = {};
  EXPECT_THAT(change_of(history).now, Optional(Status::passed));
  points[9] = {};
  EXPECT_THAT(change_of(history).now, Eq(std::nullopt));
  EXPECT_THAT(change_of(history).before, Optional(Status::passed));
}

/// The newest nights are of other cases: of another matrix, or of some cases alone.
TEST(WeekChange, LooksAtNightsThatHaveTheCase) {
  auto history = history_of(std::vector<double>(9, 1));
  history.nights[8].matrix = history.nights[1].matrix = "other";
  history.series[0].points[8] = history.series[0].points[1] = {};
  history.series[0].points[0].status = Status::failed;
  EXPECT_THAT(change_of(history).before, Optional(Status::failed));
  EXPECT_THAT(change_of(history).now, Optional(Status::passed));
}

}  // namespace
}  // namespace vparity::reports
