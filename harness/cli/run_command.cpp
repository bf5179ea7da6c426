// `vparity run`: every case of the matrices, on ranks, against the reference.
#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/command_line.h"
#include "harness/cli/commands.h"
#include "harness/cli/number_option.h"
#include "harness/cli/plan_arguments.h"
#include "harness/cli/text_option.h"
#include "harness/run/run.h"
#include "harness/usage_error.h"

namespace vparity::harness {
namespace {

struct RunArguments {
  RunOptions options;
  double case_seconds = options.limits.per_case.count();
  double launch_seconds = options.limits.launch.count();
};

LauncherKind launcher_named(const std::string& name) {
  if (name == "threads") return LauncherKind::threads;
  if (name == "mpirun") return LauncherKind::mpirun;
  if (name == "srun") return LauncherKind::srun;
  throw UsageError(fmt::format("--launcher: '{}' is not a known value{}", name,
                               suggestion(name, {"threads", "mpirun"})));
}

void add_launching(CLI::App& command, RunArguments& arguments) {
  CLI::App& group = *command.add_option_group("Starting ranks");
  const auto set_launcher = [&arguments](const std::string& name) {
    arguments.options.launcher = launcher_named(name);
  };
  group.add_option_function<std::string>("--launcher", set_launcher, "What starts the ranks")
      ->type_name("threads|mpirun");
  group
      .add_option("--launcher-arg", arguments.options.launcher_args,
                  "Passed to the launcher; repeatable; --launcher-arg=-x if it begins with a dash")
      ->type_name("A")
      ->allow_extra_args(false);
  constexpr NumberRange<double> seconds{0.001, 1e6};
  add_number(group, "--timeout", arguments.case_seconds, "Seconds per case", seconds);
  add_number(group, "--launch-timeout", arguments.launch_seconds, "Seconds until all ranks are up",
             seconds);
}

void add_verdict(CLI::App& command, RunOptions& options) {
  CLI::App& group = *command.add_option_group("Verdict and report");
  group.add_option("--out", options.out, "Folder for journal, report and logs")
      ->type_name("DIR")
      ->check(not_empty)
      ->default_str("vparity-out/<matrix>-<UTC time>");
  group.add_flag("--resume", options.resume, "Go on with the run in --out");
  constexpr int most_failures = 1'000'000'000;
  add_number(group, "--max-failures", options.max_failures, "Stop after N failures",
             {1, most_failures});
  group
      .add_option("--save-failing", options.save_failing,
                  "Save the operands of failing cases here, as input for `vparity eval`")
      ->type_name("DIR")
      ->check(not_empty);
  group
      .add_option("--known-failures", options.known_failures,
                  "Failures that do not fail the run until they expire (docs/known-failures.md)")
      ->type_name("FILE")
      ->check(not_empty);
  group.add_flag("--strict-skips", options.strict_skips, "A skipped case fails the run");
  group.add_flag("--require-device", options.require_device, "Exit 3 if no case ran on a device");
  const auto set = [&options](Verbosity verbosity) {
    return [&options, verbosity] { options.verbosity = verbosity; };
  };
  auto* quiet = group.add_flag_callback("-q", set(Verbosity::quiet), "Failures and the last line");
  group.add_flag_callback("-v", set(Verbosity::verbose), "Every case")->excludes(quiet);
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<RunArguments>();
  CLI::App& command = *app.add_subcommand("run", "Check every case of the matrices");
  add_plan_arguments(command, arguments->options.matrix_files, arguments->options.plan);
  add_launching(command, *arguments);
  add_verdict(command, arguments->options);
  command.callback([arguments, &exit_code] {
    RunOptions& options = arguments->options;
    options.limits.per_case = std::chrono::duration<double>(arguments->case_seconds);
    options.limits.launch = std::chrono::duration<double>(arguments->launch_seconds);
    options.argv = command_line();
    exit_code = run_matrices(options);
  });
}

}  // namespace vparity::harness
