// Intended changes, which raise no alarm. Each has a reason and the commit that made it.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history.h"

namespace vparity::reports {

struct AcceptedChange {
  std::string match;  ///< a glob on the case key
  Measure measure = Measure::throughput;
  std::string from;  ///< "YYYY-MM-DD", UTC: nights before this day are ignored
  std::string reason;
  std::string commit;
};

/// The latest day that an entry gives for the series; empty if there is none. An entry is not in
/// force before the newest night, which started at `newest`: no future change can be accepted.
std::string accepted_from(const std::vector<AcceptedChange>& accepted, const Series& series,
                          const std::string& newest);

bool is_in_force(const AcceptedChange& accepted, const std::string& newest);
bool matches(const AcceptedChange& accepted, const Series& series);

/// The number of series that the entry matches.
std::size_t count_matches(const AcceptedChange& accepted, const History& history);

}  // namespace vparity::reports
