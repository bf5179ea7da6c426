// Printing to standard output and standard error.
#pragma once

#include <cstdio>
#include <string_view>

#include "reports/text/text_safety.h"

namespace vparity::harness {

/// For what a terminal or a CI system is meant to obey; whatever else is said goes by `print_out`.
/// Does not throw as fmt::print does: a reader that went away must not end a run. The stream keeps
/// its error, which main() makes an exit code.
inline void print_commands(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Lines, in which strings of files and paths may stand: nothing in them is obeyed.
inline void print_out(std::string_view lines) { print_commands(reports::log_text(lines)); }

/// `text` as one line, whatever line breaks are in it.
inline void print_line(std::string_view text) { print_out(reports::one_line(text) + "\n"); }

/// The same on standard error.
inline void print_error_line(std::string_view text) {
  const auto line = reports::log_text(reports::one_line(text) + "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace vparity::harness
