// `vparity nightly`: run, add to the history, look for changes, report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/run/builds/build.h"
#include "harness/run/request/run_options.h"

namespace vparity::harness {

struct NightlyOptions {
  RunOptions run;
  std::string history;                    ///< folder; made if it is not there
  std::string accepted;                   ///< file of accepted changes; empty: none
  std::optional<Build> anchor;            ///< runs the throughput cases beside it
  std::vector<std::string> anchor_words;  ///< matrices and options, for its `run`
};

/// Returns the exit code (docs/command-line.md): of the run and of the check the one that comes
/// first in the order of exit codes. Throws UsageError before any work; std::system_error if files
/// cannot be written, std::runtime_error if the anchor leaves no report.
int run_nightly(const NightlyOptions& options);

}  // namespace vparity::harness
