// Whether standard output is a terminal, and whether it takes colours.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "harness/io/standard_output.h"

namespace vparity::harness {

/// Whether it is a terminal that can rewrite lines. Other terminals get the same output as a file.
inline bool is_terminal() {
  const char* term = std::getenv("TERM");
  const bool obeys = term == nullptr || term != std::string_view("dumb");
  return obeys && ::isatty(STDOUT_FILENO) == 1;
}

/// https://no-color.org: set and not empty.
inline bool shows_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  return is_terminal() && (no_color == nullptr || *no_color == '\0');
}

/// As `print_out`, in red where there are colours.
inline void print_red(std::string_view text) {
  const auto safe = reports::log_text(text);
  print_commands(shows_colour() ? fmt::format("\x1b[31m{}\x1b[0m", safe) : safe);
}

}  // namespace vparity::harness
