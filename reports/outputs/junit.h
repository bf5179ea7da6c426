// A report as JUnit XML, which CI systems show case by case.
#pragma once

#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// One suite of the matrix's name; a test per case, whose name is brief_name
/// (reports/text/failure_text.h) and the same in every run. Wrong numbers (failed, untrusted) are a
/// `failure`, what kept a case from an answer (error, timeout, crashed, not_run) an `error`;
/// skipped and excused cases are `skipped` with their reason. Whatever else makes the gate say no
/// is a test of its own, so that the file is never all green when the gate is not. Well-formed
/// whatever the strings hold.
std::string junit_xml(const Report& report, const std::string& default_key);

}  // namespace vparity::reports
