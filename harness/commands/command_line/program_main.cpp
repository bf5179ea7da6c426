// The program `vparity`: its surroundings, and how its endings become exit codes.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "harness/commands/command_line/program.h"
#include "harness/commands/command_line/program_main.h"
#include "harness/io/closed_streams.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

constexpr int usage_exit_code = 2;
constexpr int infrastructure_exit_code = 3;

/// Whoever closes a stream does not want to see it, and that must not harm the files of the run.
/// A reader that goes away (`| head`) must not cost the reports; `run_and_deliver` notices it.
/// Programs are found, and MPI finds its own, also where nobody set a PATH (`env -i`).
void settle_surroundings() {
  open_closed_streams();
  std::signal(SIGPIPE, SIG_IGN);
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", /*overwrite=*/0);
}

/// What was printed must have arrived: a verdict on a full disk is none.
int run_and_deliver(int argc, char** argv) {
  const int code = Program().run(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  throw std::runtime_error(
      fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

/// Paths, and words of ranks, may hold what a terminal would obey.
void complain(const std::exception& error) {
  print_error_line(fmt::format("vparity: {}", error.what()));
}

}  // namespace

int program_main(int argc, char** argv, std::span<const Provider* const> providers) {
  use_providers(providers);
  try {
    settle_surroundings();
    return run_and_deliver(argc, argv);
  } catch (const UsageError& error) {
    complain(error);
    return usage_exit_code;
  } catch (const std::exception& error) {
    complain(error);
    return infrastructure_exit_code;
  }
}

}  // namespace vparity::harness
