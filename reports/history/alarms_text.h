// The check of a history as a person at a terminal reads it: 80 columns, but for commands.
#pragma once

#include <string>
#include <vector>

#include "reports/history/alarms.h"

namespace vparity::reports {

/// What the history is, the alarms with what is to be done about each, and the verdict as the last
/// line. The first alarms stand there and how many more there are; or all of them, and the findings
/// that are no alarm. `default_key` is that of the default case: names leave out what is in it.
std::string history_check_text(const HistoryCheck& check, const History& history,
                               const std::vector<AcceptedChange>& accepted,
                               const std::string& default_key, bool all);

/// An alarm each: the case, since when, the levels, and the command that repeats it on a line of
/// its own.
std::vector<std::string> alarm_messages(const HistoryCheck& check, const History& history,
                                        const std::string& default_key);

/// The last line.
std::string verdict_line(const HistoryCheck& check);

}  // namespace vparity::reports
