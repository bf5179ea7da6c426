// The failure to look at first.
#pragma once

#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// Wrong numbers come before crashes, and the largest error ratio comes first. Null if no case that
/// ran fails the gate.
const CaseResult* worst_failure(const Report& report);

/// The case, and three lines: what is wrong, how many elements, and the command that repeats it. 80
/// columns, except for the command.
std::string explanation(const CaseResult& failure, const std::string& default_key);

}  // namespace vparity::reports
