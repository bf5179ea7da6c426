// What is another than a week ago: than before the nights of the last seven days.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "reports/history/history.h"

namespace vparity::reports {

struct LastWeek {
  /// The newest complete night before the week, and the newest of all; the newest one where none
  /// is complete; nothing where there is no night.
  struct Ends {
    std::optional<std::size_t> before, now;
  };
  std::size_t first = 0;                  ///< of its nights
  Ends all = {};                          ///< of any matrix
  std::map<std::string, Ends> by_matrix;  ///< a night of another matrix does not have a case
};
LastWeek last_week(const History& history);

struct WeekChange {
  std::optional<Status> before, now;  ///< in the nights of the series' matrix
  /// Medians over the trace: of the last ten nights before the week, and of the nights in it. NaN
  /// where there are none.
  double value_before = Point::missing, value_now = Point::missing;
  Trace::Unit unit = Trace::Unit::margin;
};
WeekChange week_change(const History& history, const Series& series, const LastWeek& week);

}  // namespace vparity::reports
