#include "harness/run/request/repeat_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/case/axes.h"
#include "harness/io/shell_quoted.h"
#include "harness/run/request/launcher_choice.h"

namespace vparity::harness {
namespace {

void add_limits(std::vector<std::string>& words, const TimeLimits& limits) {
  const TimeLimits standard;
  if (limits.per_case != standard.per_case) {
    words.insert(words.end(), {"--timeout", fmt::format("{}", limits.per_case.count())});
  }
  if (limits.launch != standard.launch) {
    words.insert(words.end(), {"--launch-timeout", fmt::format("{}", limits.launch.count())});
  }
}

// Said also where it was chosen: another machine may choose another, and with it other case ids.
void add_launcher(std::vector<std::string>& words, const RunOptions& options,
                  const PlannedCase& planned) {
  const bool threads = planned.job.parameters.transport == Transport::threads;
  const auto chosen = threads ? LauncherKind::threads : LauncherKind::mpirun;
  words.insert(words.end(),
               {"--launcher", std::string(name_of(options.launcher.value_or(chosen)))});
  // With "=", so that an argument that begins with a dash is not taken for an option.
  for (const auto& argument : options.launcher_args) words.push_back("--launcher-arg=" + argument);
}

// The plan's overrides, in the words of the case that they made.
void add_overrides(std::vector<std::string>& words, const RunOptions& options,
                   const PlannedCase& planned) {
  const auto axis = [&](const char* name) {
    return axis_value(planned.job.parameters, name).get<std::string>();
  };
  if (options.plan.seed)
    words.insert(words.end(), {"--seed", fmt::format("{}", *options.plan.seed)});
  if (options.plan.provider) words.insert(words.end(), {"--provider", axis("provider")});
  if (options.plan.backend) words.insert(words.end(), {"--backend", axis("backend")});
  if (options.plan.transport) words.insert(words.end(), {"--transport", axis("transport")});
}

}  // namespace

std::string repeat_command(const RunOptions& options, const PlannedCase& planned) {
  std::vector<std::string> words{options.argv.at(0), "run", planned.matrix_file, "--case",
                                 planned.job.id};
  if (planned.measured_twice || planned.measure != reports::Measure::parity)
    words.insert(words.end(), {"--only", std::string(name_of(planned.measure))});
  add_overrides(words, options, planned);
  add_launcher(words, options, planned);
  add_limits(words, options.limits);
  std::ranges::transform(words, words.begin(), shell_quoted);
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace vparity::harness
