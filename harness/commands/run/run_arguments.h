// The options of `vparity run`, which `vparity nightly` has too.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/run/request/run_options.h"

namespace vparity::harness {

/// `options` outlives the parsing.
void add_run_arguments(CLI::App& command, RunOptions& options);

/// Of a command line that was parsed: the matrices, and the options that say which cases run and
/// how, for another build's `run --only=throughput`.
std::vector<std::string> words_for_the_same_cases(const CLI::App& command,
                                                  const RunOptions& options);

}  // namespace vparity::harness
