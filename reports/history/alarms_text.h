// The check of a history as text for a terminal: 80 columns, except for commands.
#pragma once

#include <string>
#include <vector>

#include "reports/history/alarms.h"

namespace vparity::reports {

/// A line on the history, the alarms, and the verdict as the last line. By default the text has the
/// first alarms and the number of further ones; with `all` it has every alarm and the findings that
/// are no alarm. `default_key` is the key of the default case; names leave out its values.
std::string history_check_text(const HistoryCheck& check, const History& history,
                               const std::vector<AcceptedChange>& accepted,
                               const std::string& default_key, bool all);

/// One message for each alarm: the case, its first night, the levels, and on a second line the
/// command that repeats the case.
std::vector<std::string> alarm_messages(const HistoryCheck& check, const History& history,
                                        const std::string& default_key);

/// The last line: how many cases have an alarm, are back or became better.
std::string verdict_line(const HistoryCheck& check);

}  // namespace vparity::reports
