#include "harness/commands/command_line/launch_arguments.h"

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "harness/commands/command_line/number_option.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

LauncherKind launcher_named(const std::string& name) {
  if (name == "threads") return LauncherKind::threads;
  if (name == "mpirun") return LauncherKind::mpirun;
  throw UsageError(fmt::format("--launcher: '{}' is not a known value{}", name,
                               suggestion(name, {"threads", "mpirun"})));
}

void add_seconds(CLI::App& command, const std::string& option,
                 std::chrono::duration<double>& target, const std::string& description) {
  static constexpr NumberRange<double> seconds{0.001, 1e6};
  const auto convert = [&target, option](const std::string& text) {
    target = std::chrono::duration<double>(parse_number<double>(option, text, seconds));
  };
  command.add_option_function<std::string>(option, convert, description)
      ->default_str(fmt::format("{}", target.count()))
      ->type_name("X");
}

}  // namespace

void add_launch_arguments(CLI::App& command, RunOptions& options) {
  command.option_defaults()->group("Starting ranks");
  const auto set_launcher = [&options](const std::string& name) {
    options.launcher = launcher_named(name);
  };
  command.add_option_function<std::string>("--launcher", set_launcher, "What starts the ranks")
      ->type_name("threads|mpirun");
  command
      .add_option("--launcher-arg", options.launcher_args,
                  "Passed to the launcher; repeatable; --launcher-arg=-x if it begins with a dash")
      ->type_name("A")
      ->allow_extra_args(false);
  add_seconds(command, "--timeout", options.limits.per_case, "Seconds per case");
  add_seconds(command, "--launch-timeout", options.limits.launch, "Seconds until all ranks are up");
}

}  // namespace vparity::harness
