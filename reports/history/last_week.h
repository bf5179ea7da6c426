// What changed within the last week: the nights of the last seven days against those before.
#pragma once

#include <cstddef>
#include <optional>

#include "reports/history/history.h"

namespace vparity::reports {

/// `earlier` began less than a week before `later`. A week is 6 1/2 days here, because nights do
/// not begin at the same minute. Times that cannot be read count as equal.
bool within_a_week(const Night& earlier, const Night& later);

struct LastWeek {
  std::size_t first = 0;         ///< index of the week's first night
  std::size_t first_before = 0;  ///< index of the first night of the week before
  /// The newest complete night before the week, and the newest complete night of all. Where no
  /// night is complete, the newest one; where there is no night, nothing.
  std::optional<std::size_t> before = {}, now = {};
};
LastWeek last_week(const History& history);

struct WeekChange {
  /// The case's status in the newest night that has it, of the week before and of the last week.
  /// Nothing if no night has it.
  std::optional<Status> before, now;
  /// Medians over the trace: of the last ten nights before the week, and of the nights in it. NaN
  /// if there are no such nights.
  double value_before = Point::missing, value_now = Point::missing;
  double value_newest = Point::missing;  ///< the last value of the trace
  Trace::Unit unit = Trace::Unit::error_ratio;
};
WeekChange week_change(const History& history, const Series& series, const LastWeek& week);

}  // namespace vparity::reports
