// Whether a run passes the gate: the one place that decides, from its report and from how it ended.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/model/exit_code.h"
#include "reports/model/model.h"

namespace vparity::reports {

/// Failed, and not as somebody expects.
bool fails_gate(const CaseResult& result);

/// The cases that fail the gate; those that did not run stand last, because they say least.
std::vector<const CaseResult*> failing_cases(const Report& report);

/// Names the first entry that matches the case and has not expired, if the case failed; a case that
/// did not run is excused by none. `today`: "YYYY-MM-DD", UTC.
void excuse(CaseResult& result, const std::vector<KnownFailure>& known, std::string_view today);

/// What became of each entry of report.known_failures; excuses the cases and counts them anew.
void judge_known_failures(Report& report, std::string_view today);

/// How a run ended, beyond its cases.
struct RunEnd {
  int signal = 0;        ///< it was told to stop
  bool refused = false;  ///< the ranks found a usage error
  bool late = false;     ///< ranks did not end in time
  bool broken = false;   ///< a rank died, a required device is missing
};

/// 128 + signal; 2 if refused; 1 if a case failed, is untrusted or did not run (or was skipped
/// under `strict_skips`) or a known failure is out of date; else 4 if something ran into a time
/// limit; else 3 for errors, crashes and what is broken; else 0 if any case passed; else 77.
/// Excused cases count as skipped ones that strictness does not mind.
ExitCode exit_code(const Report& report, const RunEnd& end, bool strict_skips);

/// Why the gate says no beside the cases that fail it: entries of known failures that are out of
/// date, an exit code that nothing in the report explains.
std::vector<Reason> other_complaints(const Report& report);

/// "N passed, N failed, N skipped": what programs read. The three add up to the plan; excused cases
/// are among the skipped ones.
std::string verdict_line(const Summary& summary);

}  // namespace vparity::reports
