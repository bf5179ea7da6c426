// The program `vparity`: its subcommands, and how their endings become exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "harness/build_info/build_info.h"
#include "harness/cli/commands.h"
#include "harness/cli/usage_message.h"
#include "harness/usage_error.h"

namespace vparity::harness {
namespace {

constexpr int usage_exit_code = 2;
constexpr int infrastructure_exit_code = 3;

constexpr const char* examples_and_exit_codes =
    "Examples:\n"
    "  vparity run matrices/smoke.json          check every case, write "
    "vparity-out/.../parity.json\n"
    "  vparity plan matrices/ci.json            what would run\n"
    "  vparity selftest                         the gate on kernels that are wrong\n"
    "  vparity eval logits.safetensors --tp 4   your own tensors\n"
    "\n"
    "Exit codes:\n"
    "    0  at least one case passed, the rest passed or were skipped\n"
    "    1  failed, untrusted or missing results, known failures that are out of date;\n"
    "       for eval a margin above 1\n"
    "    2  usage, or an invalid matrix, report or input file; decided before any work\n"
    "    3  infrastructure: launch failed, a rank crashed or ended with an error\n"
    "    4  a case ran into its time limit\n"
    "   77  nothing could run here: all cases were skipped\n"
    "  130, 143  interrupted; journal and reports are valid";

void add_subcommands(CLI::App& app, int& exit_code) {
  add_run_command(app, exit_code);
  add_plan_command(app, exit_code);
  add_eval_command(app, exit_code);
  add_selftest_command(app, exit_code);
  add_doctor_command(app, exit_code);
  add_schema_command(app, exit_code);
  add_report_command(app, exit_code);
  add_merge_command(app, exit_code);
}

void configure(CLI::App& app) {
  constexpr std::size_t option_column = 34;
  app.set_version_flag("--version", "vparity " + version_text(build_info()),
                       "Print version and git revision");
  app.get_formatter()->column_width(option_column);
  app.footer(examples_and_exit_codes);
}

/// Parses and, inside the parsing, runs the subcommand.
int run(int argc, char** argv) {
  CLI::App app("Checks vocab-parallel LLM kernels against a full-vocabulary double reference.",
               "vparity");
  configure(app);
  int exit_code = 0;
  add_subcommands(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    throw UsageError(usage_message(app, error));
  }
  if (app.get_subcommands().empty())
    throw UsageError("a subcommand is missing (see vparity --help)");
  return exit_code;
}

/// A reader that goes away (`| head`) must not cost the reports; `run_and_deliver` notices it.
/// Programs are found, and MPI finds its own, also where nobody set a PATH (`env -i`).
void settle_surroundings() {
  std::signal(SIGPIPE, SIG_IGN);
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", /*overwrite=*/0);
}

/// What was printed must have arrived: a verdict on a full disk is none.
int run_and_deliver(int argc, char** argv) {
  const int code = run(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  throw std::runtime_error(
      fmt::format("standard output cannot be written: {}", std::strerror(errno)));
}

}  // namespace
}  // namespace vparity::harness

int main(int argc, char** argv) {
  using namespace vparity::harness;
  settle_surroundings();
  try {
    return run_and_deliver(argc, argv);
  } catch (const UsageError& error) {
    fmt::print(stderr, "vparity: {}\n", error.what());
    return usage_exit_code;
  } catch (const std::exception& error) {
    fmt::print(stderr, "vparity: {}\n", error.what());
    return infrastructure_exit_code;
  }
}
