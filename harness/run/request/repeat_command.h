// The command line that repeats just one case of a run.
#pragma once

#include <string>

#include "harness/run/request/run_options.h"

namespace vparity::harness {

/// Program, matrix, --case, and the options of the run that decide how a case runs.
std::string repeat_command(const RunOptions& options, const PlannedCase& planned);

}  // namespace vparity::harness
