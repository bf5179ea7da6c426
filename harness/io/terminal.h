// The standard streams: opening, printing, and what the terminal can show.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "harness/io/file_descriptor.h"
#include "reports/text/text_safety.h"

namespace vparity::harness {

/// Opens /dev/null for each standard stream that was closed when the program started. Otherwise the
/// next opened file, such as the journal, would get its descriptor, and printed text would be
/// written into it. Throws std::system_error.
inline void open_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    const bool closed = ::fcntl(stream, F_GETFD) < 0;
    // open(2) returns the lowest free descriptor.
    if (closed && ::open("/dev/null", O_RDWR) != stream) reports::throw_errno("open", "/dev/null");
  }
}

/// Prints text that a terminal or a CI system interprets, such as colours. Use `print_out` for all
/// other text. Unlike fmt::print it does not throw: a closed pipe must not end a run. The stream
/// keeps its error, and main() turns it into an exit code.
inline void print_commands(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

/// Prints lines. Control characters in them, for example from file names, are made harmless.
inline void print_out(std::string_view lines) { print_commands(reports::log_text(lines)); }

/// Prints `text` as one line, even if it contains line breaks.
inline void print_line(std::string_view text) { print_out(reports::one_line(text) + "\n"); }

/// Like `print_line`, on standard error.
inline void print_error_line(std::string_view text) {
  const auto line = reports::log_text(reports::one_line(text) + "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

/// Whether standard output is a terminal that can rewrite lines. Other terminals get the same
/// output as a file.
inline bool is_terminal() {
  const char* term = std::getenv("TERM");
  const bool obeys = term == nullptr || term != std::string_view("dumb");
  return obeys && ::isatty(STDOUT_FILENO) == 1;
}

/// NO_COLOR turns colours off if it is set and not empty (https://no-color.org).
inline bool shows_colour() {
  const char* no_color = std::getenv("NO_COLOR");
  return is_terminal() && (no_color == nullptr || *no_color == '\0');
}

/// Like `print_out`, in red if the terminal shows colours.
inline void print_red(std::string_view text) {
  const auto safe = reports::log_text(text);
  print_commands(shows_colour() ? fmt::format("\x1b[31m{}\x1b[0m", safe) : safe);
}

}  // namespace vparity::harness
