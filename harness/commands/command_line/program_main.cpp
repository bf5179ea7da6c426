#include "harness/commands/command_line/program_main.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "harness/commands/command_line/program.h"
#include "harness/io/closed_streams.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "reports/model/exit_code.h"

namespace vparity::harness {
namespace {

void prepare_surroundings() {
  // A file of the run must not be opened in place of a stream that the caller closed.
  open_closed_streams();
  // A reader that goes away (`| head`) must not cost the reports; run_and_flush() notices it.
  std::signal(SIGPIPE, SIG_IGN);
  // Without a PATH (`env -i`) neither the launcher nor MPI's own programs would be found.
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", /*overwrite=*/0);
}

/// Throws if standard output could not be written: a verdict that was lost is no verdict.
int run_and_flush(int argc, char** argv) {
  Program program;
  const int code = program.parse(argc, argv)();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  throw std::runtime_error(
      fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

/// Paths and messages of ranks may hold control characters: print_error_line() makes them visible.
void report_error(const std::exception& error) {
  print_error_line(fmt::format("vparity: {}", error.what()));
}

}  // namespace

int program_main(int argc, char** argv, std::span<const Provider* const> providers) {
  use_providers(providers);
  try {
    prepare_surroundings();
    return run_and_flush(argc, argv);
  } catch (const UsageError& error) {
    report_error(error);
    return reports::exit_usage;
  } catch (const std::exception& error) {
    report_error(error);
    return reports::exit_infrastructure;
  }
}

}  // namespace vparity::harness
