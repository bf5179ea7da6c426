#include "harness/commands/run/run_arguments.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/commands/command_line/launch_arguments.h"
#include "harness/commands/command_line/number_option.h"
#include "harness/commands/command_line/plan_arguments.h"
#include "harness/commands/command_line/text_option.h"

namespace vparity::harness {
namespace {

void add_verdict(CLI::App& command, RunOptions& options) {
  command.option_defaults()->group("Verdict and report");
  command.add_option("--out", options.out, "Folder for journal, report and logs")
      ->type_name("DIR")
      ->check(not_empty)
      ->default_str("vparity-out/<matrix>-<UTC time>");
  command.add_flag("--resume", options.resume, "Go on with the run in --out");
  constexpr int most_failures = 1'000'000'000;
  add_number(command, "--max-failures", options.max_failures, "Stop after N failures",
             {1, most_failures});
  command
      .add_option("--save-failing", options.save_failing,
                  "Save the operands of failing cases here, as input for `vparity eval`")
      ->type_name("DIR")
      ->check(not_empty);
  command
      .add_option("--known-failures", options.known_failures,
                  "Failures that do not fail the run until they expire (docs/known-failures.md)")
      ->type_name("FILE")
      ->check(not_empty);
  command.add_flag("--strict-skips", options.strict_skips, "A skipped case fails the run");
  command.add_flag("--require-device", options.require_device, "Exit 3 if no case ran on a device");
  const auto set = [&options](Verbosity verbosity) {
    return [&options, verbosity] { options.verbosity = verbosity; };
  };
  auto* quiet =
      command.add_flag_callback("-q", set(Verbosity::quiet), "Failures and the last line");
  command.add_flag_callback("-v", set(Verbosity::verbose), "Every case")->excludes(quiet);
}

/// By the headings of --help. What is measured is given beside them.
bool says_what_runs(const CLI::Option& option) {
  static constexpr std::array<std::string_view, 3> headings{
      "Selecting cases", "Overriding the matrix", "Starting ranks"};
  return std::ranges::find(headings, option.get_group()) != headings.end() &&
         option.get_name() != "--only";
}

}  // namespace

void add_run_arguments(CLI::App& command, RunOptions& options) {
  add_plan_arguments(command, options.matrix_files, options.plan);
  add_launch_arguments(command, options);
  add_verdict(command, options);
}

std::vector<std::string> words_for_the_same_cases(const CLI::App& command,
                                                  const RunOptions& options) {
  std::vector<std::string> words = options.matrix_files;
  for (const CLI::Option* option : command.get_options())
    if (says_what_runs(*option))
      for (const auto& value : option->results()) words.push_back(option->get_name() + "=" + value);
  return words;
}

}  // namespace vparity::harness
