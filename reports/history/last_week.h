// What is another than a week ago: than before the nights of the last seven days.
#pragma once

#include <cstddef>
#include <optional>

#include "reports/history/history.h"

namespace vparity::reports {

struct LastWeek {
  std::size_t first = 0;         ///< of its nights
  std::size_t first_before = 0;  ///< of those of the week before
  /// The newest complete night before the week, and the newest of all; the newest one where none
  /// is complete; nothing where there is no night.
  std::optional<std::size_t> before = {}, now = {};
};
LastWeek last_week(const History& history);

struct WeekChange {
  /// In the newest night that has the case: of the week before, and of the last one. Nothing: none.
  std::optional<Status> before, now;
  /// Medians over the trace: of the last ten nights before the week, and of the nights in it. NaN
  /// where there are none.
  double value_before = Point::missing, value_now = Point::missing;
  double value_newest = Point::missing;  ///< the last of the trace
  Trace::Unit unit = Trace::Unit::error_ratio;
};
WeekChange week_change(const History& history, const Series& series, const LastWeek& week);

}  // namespace vparity::reports
