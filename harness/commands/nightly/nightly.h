// `vparity nightly`: runs the matrices, adds the run to a history, looks for changes, reports them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/run/builds/build.h"
#include "harness/run/request/run_options.h"

namespace vparity::harness {

struct NightlyOptions {
  RunOptions run;
  std::string history;                        ///< folder; created if missing
  std::string accepted;                       ///< file of accepted changes; empty: none
  std::optional<Build> anchor;                ///< times the same cases after the run
  std::vector<std::string> anchor_arguments;  ///< matrices and options, for its `run`
};

/// Returns the exit code of the run or that of the check, whichever takes precedence
/// (docs/command-line.md). Throws UsageError before any work; std::system_error if files cannot be
/// written; std::runtime_error if the anchor leaves no report.
int run_nightly(const NightlyOptions& options);

}  // namespace vparity::harness
