// `vparity run`: checks and times every case of the matrices.
#include "harness/commands/run/run_command.h"

#include <memory>

#include "harness/commands/command_line/program.h"
#include "harness/commands/command_line/shared_options.h"
#include "harness/run/run.h"

namespace vparity::harness {
namespace {

void add_verdict_options(Command& command, RunOptions& options) {
  command.heading("Verdict and report");
  command.add_text("--out", options.out, "DIR", "Folder for journal, reports and logs")
      .default_text("vparity-out/<matrix>-<UTC time>");
  command.add_flag("--resume", options.resume, "Continue the run in --out DIR");
  constexpr int most_failures = 1'000'000'000;
  command.add_number("--max-failures", options.max_failures, "Stop after N failures",
                     {1, most_failures});
  command.add_text("--save-failing", options.save_failing, "DIR",
                   "Save the operands of failing cases here, as input for `vparity eval`");
  command.add_text("--known-failures", options.known_failures, "FILE",
                   "Failures that do not fail the run until they expire (docs/known-failures.md)");
  command.add_flag("--strict-skips", options.strict_skips, "A skipped case fails the run");
  command.add_flag("--require-device", options.require_device,
                   "End with 3 if no case ran on a device");
  command.add_flag(
      "-q", [&options] { options.verbosity = Verbosity::quiet; },
      "Print only failures and the last line");
  command
      .add_flag(
          "-v", [&options] { options.verbosity = Verbosity::verbose; }, "Print every case")
      .excludes("-q");
}

}  // namespace

void add_run_options(Command& command, RunOptions& options) {
  add_plan_options(command, options.matrix_files, options.plan);
  add_launch_options(command, options);
  add_verdict_options(command, options);
}

void add_run_command(Command& program) {
  auto& command = program.add_command(
      "run", "Check every case of the matrices against the reference, and time kernels");
  const auto options = std::make_shared<RunOptions>();
  add_run_options(command, *options);
  command.footer(
      "Exit codes:\n"
      "    0  at least one case passed, the rest passed or were skipped\n"
      "    1  a case failed, is untrusted or did not run; a known failure is out of\n"
      "       date; a case was skipped under --strict-skips\n"
      "    2  invalid command line or matrix; nothing was run\n"
      "    3  the launch failed, a rank crashed or ended with an error, a file could\n"
      "       not be written, no device under --require-device\n"
      "    4  a case ran into its time limit\n"
      "   77  nothing could run: all cases were skipped\n"
      "  129, 130, 143  interrupted (HUP, INT, TERM); journal and reports are valid\n\n"
      "Examples:\n"
      "  vparity run matrices/ci.json\n"
      "  vparity run matrices/ci.json --filter '*,tp=2,*' --launcher threads");
  command.action([options] {
    options->argv = own_arguments();
    return run_matrices(*options);
  });
}

}  // namespace vparity::harness
