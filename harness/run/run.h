// `vparity run`: plan, start, watch, journal, report.
#pragma once

#include "harness/run/run_options.h"

namespace vparity::harness {

/// Returns the exit code (docs/command-line.md). Throws UsageError before any work;
/// std::system_error if the run's own files cannot be written.
int run_matrices(const RunOptions& options);

}  // namespace vparity::harness
