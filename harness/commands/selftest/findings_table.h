// What a person reads of a selftest.
#pragma once

#include <string>
#include <vector>

#include "harness/commands/selftest/findings.h"

namespace vparity::harness {

/// One line per kernel set: its judgement, failed cases of all, and of the failed case with the
/// largest error ratio that error ratio, the case's id and the output.
std::string findings_table(const std::vector<Finding>& findings);

/// One line per missed bug: what it is and which cases should have caught it. One line per kernel
/// set of which a case ended otherwise than it should: of a right one any that ran and did not
/// pass, of one with a known bug those that crashed, hung or ended with an error.
std::string complaints(const std::vector<Finding>& findings, const Catalogue& catalogue,
                       const std::vector<reports::CaseResult>& cases);

/// "N of N caught": what programs read.
std::string caught_line(const std::vector<Finding>& findings);

}  // namespace vparity::harness
