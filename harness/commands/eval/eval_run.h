// The parent's side of `vparity eval`: checks everything that can be checked, then starts one job.
#pragma once

#include "harness/rank/eval/eval_request.h"
#include "harness/run/launcher/launcher.h"

namespace vparity::harness {

/// Prints the results as one JSON object to standard output, and messages to standard error.
/// `request.output` is written whole, or not at all if there is no result. Returns the exit code
/// (docs/command-line.md). Throws UsageError before anything is started.
int run_eval(const EvalRequest& request, LauncherKind launcher, const TimeLimits& limits);

}  // namespace vparity::harness
