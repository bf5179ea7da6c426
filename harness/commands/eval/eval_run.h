// The parent's side of `vparity eval`: everything that can be refused is, then one job.
#pragma once

#include <cstdio>

#include "harness/rank/eval/eval_request.h"
#include "harness/run/launcher/launcher.h"

namespace vparity::harness {

/// Prints what the ranks found to standard output, as one JSON object, and messages to standard
/// error. `request.output` is written whole, or not at all if there is no result. Returns the exit
/// code (docs/command-line.md): 0, 1 if a comparison failed, 3, 4, 77 where the backend has no
/// device, 128 + signal. Throws UsageError
/// before anything is started.
int run_eval(const EvalRequest& request, LauncherKind launcher, const TimeLimits& limits);

}  // namespace vparity::harness
