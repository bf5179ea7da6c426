// Changes that somebody has looked at and that are no alarm any more: each with a reason and the
// commit that made it.
#pragma once

#include <string>
#include <vector>

#include "reports/history/history.h"

namespace vparity::reports {

struct AcceptedChange {
  std::string match;  ///< a glob on the case key
  Measure measure = Measure::throughput;
  std::string from;  ///< "YYYY-MM-DD", UTC: the first day that a night is looked at of
  std::string reason;
  std::string commit;
};

/// The last of the days that entries give for the series; empty: none. An entry that begins after
/// `newest`, the start of the newest night, is not in force yet: nothing is accepted beforehand.
std::string accepted_from(const std::vector<AcceptedChange>& accepted, const Series& series,
                          const std::string& newest);

bool is_in_force(const AcceptedChange& accepted, const std::string& newest);
bool matches(const AcceptedChange& accepted, const Series& series);

/// How many series it matches.
std::size_t count_matches(const AcceptedChange& accepted, const History& history);

}  // namespace vparity::reports
