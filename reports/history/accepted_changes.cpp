#include "reports/history/accepted_changes.h"

#include <algorithm>

#include "reports/model/known_failures.h"

namespace vparity::reports {

bool matches(const AcceptedChange& accepted, const Series& series) {
  return accepted.measure == series.measure && glob_matches(accepted.match, series.key);
}

// ISO days and times sort as text, and a day sorts before its times.
bool is_in_force(const AcceptedChange& accepted, const std::string& newest) {
  return accepted.from <= newest;
}

std::string accepted_from(const std::vector<AcceptedChange>& accepted, const Series& series,
                          const std::string& newest) {
  std::string from;
  for (const auto& one : accepted)
    if (one.from > from && is_in_force(one, newest) && matches(one, series)) from = one.from;
  return from;
}

std::size_t count_matches(const AcceptedChange& accepted, const History& history) {
  return static_cast<std::size_t>(std::ranges::count_if(
      history.series, [&](const Series& series) { return matches(accepted, series); }));
}

}  // namespace vparity::reports
