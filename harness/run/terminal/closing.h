// What a run prints at its end.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/run/request/run_options.h"
#include "reports/model/model.h"

namespace vparity::harness {

struct ClosingLine {
  std::string text;
  bool failed = false;
};

/// A table by sweep: cases, passed, and the worst error ratio with its output and case. A sweep has
/// failed if one of its cases fails the gate.
std::vector<ClosingLine> sweep_lines(const Plan& plan, const reports::Report& report);

/// The paragraphs under the table: error ratios by output; throughput; where the time went; skipped
/// cases by reason, known failures and points without cases; the worst failure. Every line has its
/// newline. Lines keep to 80 columns, except commands.
std::string closing_text(const Plan& plan, const reports::Report& report, Verbosity verbosity);

}  // namespace vparity::harness
