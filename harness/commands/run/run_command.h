// The options of `vparity run`, which `vparity nightly` has too.
#pragma once

#include "harness/commands/command_line/command.h"
#include "harness/run/request/run_options.h"

namespace vparity::harness {

void add_run_options(Command& command, RunOptions& options);

}  // namespace vparity::harness
