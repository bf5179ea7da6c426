// What is said of a history that was checked.
#pragma once

#include <vector>

#include "reports/history/alarms.h"

namespace vparity::harness {

/// On standard output: under GITHUB_ACTIONS=true the alarms as annotations, then the text of
/// reports/history/alarms_text.h.
void say_check(const reports::HistoryCheck& check, const reports::History& history,
               const std::vector<reports::AcceptedChange>& accepted, bool all);

}  // namespace vparity::harness
