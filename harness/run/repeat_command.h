// The command line that repeats just one case of a run.
#pragma once

#include <string>
#include <string_view>

#include "harness/run/run_options.h"

namespace vparity::harness {

/// One word for a POSIX shell: as it is if no character needs quoting, else in single quotes.
std::string shell_quoted(std::string_view word);

/// Program, matrix and --case, and of the run's options those that say how a case runs.
std::string repeat_command(const RunOptions& options, const PlannedCase& planned);

}  // namespace vparity::harness
