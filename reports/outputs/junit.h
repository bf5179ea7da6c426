// A report as JUnit XML for CI systems.
#pragma once

#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// One suite named after the matrix, with one test for each case. A test's name is brief_name()
/// (reports/text/failure_text.h), the same in every run. Wrong numbers (failed, untrusted) are a
/// `failure`; a missing answer (error, timeout, crashed, not_run) is an `error`; skipped and
/// excused cases are `skipped` with their reason. Each other reason why the gate fails is a test of
/// its own, so the file is never all green when the gate is not. The XML is well-formed whatever
/// the strings hold.
std::string junit_xml(const Report& report, const std::string& default_key);

}  // namespace vparity::reports
