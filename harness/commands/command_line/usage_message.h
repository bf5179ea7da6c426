// What is wrong with a command line, in this program's words instead of CLI11's.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vparity::harness {

/// One line; an unknown option, subcommand or argument is named with the nearest known one. `app`
/// is the program after the parsing that failed with `error`.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace vparity::harness
