// What `vparity run` and `vparity plan` have in common: the matrices and which of their cases.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace vparity::harness {

/// Adds MATRIX... and the options that select and override (docs/command-line.md, "Selecting
/// cases"). The targets are filled by the parsing and outlive it; a value that cannot be ends the
/// parsing as UsageError.
void add_plan_arguments(CLI::App& command, std::vector<std::string>& matrix_files,
                        PlanOptions& options);

}  // namespace vparity::harness
