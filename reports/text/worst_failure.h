// The one failure to look at first.
#pragma once

#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// Wrong numbers before crashes, and of wrong numbers the furthest out of their bound; null if no
/// case that ran fails the gate.
const CaseResult* worst_failure(const Report& report);

/// Which case it is, and in three lines what is wrong, how far it goes, and the command that
/// repeats it. Lines of 80 columns, but for the command.
std::string explanation(const CaseResult& failure, const std::string& default_key);

}  // namespace vparity::reports
