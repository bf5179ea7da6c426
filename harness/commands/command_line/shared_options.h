// Options that several commands have.
#pragma once

#include <string>
#include <vector>

#include "harness/commands/command_line/command.h"
#include "harness/plan/plan.h"
#include "harness/run/request/run_options.h"
#include "reports/comparison/comparison.h"

namespace vparity::harness {

/// MATRIX... and the options that select cases and override the matrix: of `run`, `plan` and
/// `nightly`.
void add_plan_options(Command& command, std::vector<std::string>& matrix_files,
                      PlanOptions& options);

/// How ranks are started: of `run`, `nightly` and `selftest`.
void add_launch_options(Command& command, RunOptions& options);

/// The value of --launcher. Throws UsageError.
LauncherKind launcher_named(const std::string& name);

/// How runs are compared: of `compare` and `ab`. `json`: file for the comparison; empty: none.
void add_comparison_options(Command& command, reports::Criteria& criteria, std::string& json);

}  // namespace vparity::harness
