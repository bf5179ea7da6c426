// What `vparity run` and `vparity plan` have in common: the matrices and which of their cases.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/plan/plan.h"

namespace vparity::harness {

struct PlanArguments {
  std::vector<std::string> matrix_files;
  PlanOptions options;
};

/// Adds MATRIX... and the options that select and override (docs/command-line.md, "Selecting
/// cases"); `arguments` is filled by the parsing and outlives it. A value that cannot be ends the
/// parsing as UsageError.
void add_plan_arguments(CLI::App& command, PlanArguments& arguments);

}  // namespace vparity::harness
