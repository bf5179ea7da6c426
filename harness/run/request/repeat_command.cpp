#include "harness/run/request/repeat_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/case/axes.h"
#include "harness/io/shell_quoted.h"
#include "harness/run/request/launcher_choice.h"

namespace vparity::harness {
namespace {

void add_limits(std::vector<std::string>& arguments, const TimeLimits& limits) {
  const TimeLimits standard;
  if (limits.per_case != standard.per_case) {
    arguments.insert(arguments.end(), {"--timeout", fmt::format("{}", limits.per_case.count())});
  }
  if (limits.launch != standard.launch) {
    arguments.insert(arguments.end(),
                     {"--launch-timeout", fmt::format("{}", limits.launch.count())});
  }
}

// Also if nobody asked for it: another machine may choose another launcher, with other case ids.
void add_launcher(std::vector<std::string>& arguments, const RunOptions& options,
                  const PlannedCase& planned) {
  const bool threads = planned.job.parameters.transport == Transport::threads;
  const auto chosen = threads ? LauncherKind::threads : LauncherKind::mpirun;
  arguments.insert(arguments.end(),
                   {"--launcher", std::string(name_of(options.launcher.value_or(chosen)))});
  // With "=", so that an argument that begins with a dash is not taken for an option.
  for (const auto& argument : options.launcher_args)
    arguments.push_back("--launcher-arg=" + argument);
}

// The plan's overrides, with the values that the case has.
void add_overrides(std::vector<std::string>& arguments, const RunOptions& options,
                   const PlannedCase& planned) {
  const auto axis = [&](const char* name) {
    return axis_value(planned.job.parameters, name).get<std::string>();
  };
  if (options.plan.seed)
    arguments.insert(arguments.end(), {"--seed", fmt::format("{}", *options.plan.seed)});
  if (options.plan.provider) arguments.insert(arguments.end(), {"--provider", axis("provider")});
  if (options.plan.backend) arguments.insert(arguments.end(), {"--backend", axis("backend")});
  if (options.plan.transport) arguments.insert(arguments.end(), {"--transport", axis("transport")});
}

}  // namespace

std::string repeat_command(const RunOptions& options, const PlannedCase& planned) {
  std::vector<std::string> arguments{options.argv.at(0), "run", planned.matrix_file, "--case",
                                     planned.job.id};
  if (planned.measured_twice || planned.measure != reports::Measure::parity)
    arguments.insert(arguments.end(), {"--only", std::string(name_of(planned.measure))});
  add_overrides(arguments, options, planned);
  add_launcher(arguments, options, planned);
  add_limits(arguments, options.limits);
  std::ranges::transform(arguments, arguments.begin(), shell_quoted);
  return fmt::format("{}", fmt::join(arguments, " "));
}

}  // namespace vparity::harness
