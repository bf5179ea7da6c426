// What a run says at its end.
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

/// What comes under it, by paragraph: error ratios by output; times; where the time went; skipped
/// by reason, known failures, points that are no cases; the worst failure. Every line is ended; 80
/// columns, but for commands.
std::string closing_text(const Plan& plan, const reports::Report& report, Verbosity verbosity);

}  // namespace vparity::harness
