// One line that says what is wrong with a case.
#pragma once

#include <string>

#include "reports/model.h"

namespace vparity::harness {

/// Key, output, worst element, margin and the command that repeats the case; where no output is
/// out of its bound, the reason. Without a line break.
std::string failure_line(const reports::CaseResult& result);

}  // namespace vparity::harness
