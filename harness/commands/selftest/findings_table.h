// The table and the messages that a selftest prints.
#pragma once

#include <string>
#include <vector>

#include "harness/commands/selftest/findings.h"

namespace vparity::harness {

/// One line per provider: its judgement, failed cases of all, and of the failed case with the
/// largest error ratio that error ratio, the case's id and the output.
std::string findings_table(const std::vector<Finding>& findings);

/// One line per missed bug: what it is and which cases should have caught it. Then one line per
/// provider with a case that ended in a wrong way. For a right provider that is each case that ran
/// and did not pass; for a provider with a known bug, each that crashed, hung or ended in an error.
std::string complaints(const std::vector<Finding>& findings, const Catalogue& catalogue,
                       const std::vector<reports::CaseResult>& cases);

/// "N of N caught": what programs read.
std::string caught_line(const std::vector<Finding>& findings);

}  // namespace vparity::harness
