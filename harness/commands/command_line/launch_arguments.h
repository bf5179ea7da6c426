// The options that say how ranks are started: of `vparity run` and `vparity selftest`.
#pragma once

#include <CLI/CLI.hpp>

#include "harness/run/request/run_options.h"

namespace vparity::harness {

/// `options` outlives the parsing.
void add_launch_arguments(CLI::App& command, RunOptions& options);

}  // namespace vparity::harness
