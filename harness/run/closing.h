// What a run says at its end.
#pragma once

#include <string>

#include "harness/plan/plan.h"
#include "harness/run/run_options.h"
#include "reports/model.h"

namespace vparity::harness {

/// Cases, passed and worst margin by sweep; the margins by output; skipped by reason; known
/// failures; points that are no cases. Every line ends with a newline; 80 columns unless a name is
/// long.
std::string closing_text(const Plan& plan, const reports::Report& report, Verbosity verbosity);

}  // namespace vparity::harness
