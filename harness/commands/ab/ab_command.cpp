// `vparity ab`: is one build faster than another?
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/ab/ab.h"
#include "harness/commands/command_line/program.h"
#include "harness/commands/command_line/shared_options.h"

namespace vparity::harness {
namespace {

struct AbArguments {
  AbOptions options;
  std::string base, head;
  std::vector<std::string> matrices;
  std::map<std::string, std::vector<std::string>> passed_on;
  reports::Criteria criteria;
};

/// Each build reads these itself, because this program does not know which values another build
/// takes.
void add_options_of_run(Command& command, AbArguments& arguments) {
  struct Passed {
    const char *name, *type, *description;
  };
  static constexpr Passed options[] = {
      {"--filter", "GLOB", "Only cases whose key matches"},
      {"--case", "ID", "Only the case with this id"},
      {"--max-ranks", "N", "Skip cases that need more ranks"},
      {"--provider", "NAME", "Override the matrix: the provider under test"},
      {"--backend", "NAME", "Override the matrix: where the kernels run"},
      {"--transport", "NAME", "Override the matrix: how the ranks communicate"},
      {"--seed", "N", "Override the matrix: seed of all generated inputs"},
      {"--launcher", "NAME", "What starts the ranks"},
      {"--launcher-arg", "A", "Passed to the launcher; repeatable"},
      {"--timeout", "S", "Time limit of a case in seconds"},
      {"--launch-timeout", "S", "Time limit in seconds until all ranks are up"}};
  command.heading("Passed on to `vparity run` of both builds");
  for (const auto& option : options)
    command
        .add_repeatable(option.name, arguments.passed_on[option.name], option.type,
                        option.description)
        .decides_cases();
}

int run_ab_command(const Command& command, AbArguments& arguments) {
  auto& options = arguments.options;
  options.base = build_at("--base", arguments.base);
  options.head = build_at("--head", arguments.head);
  if (options.max_pairs < options.pairs)
    throw UsageError("ab: --max-pairs must not be less than --pairs");
  options.run_arguments = command.case_arguments();
  options.run_arguments.insert(options.run_arguments.end(), arguments.matrices.begin(),
                               arguments.matrices.end());
  options.threshold = arguments.criteria.threshold;
  options.confidence = arguments.criteria.confidence;
  return run_ab(options);
}

}  // namespace

void add_ab_command(Command& program) {
  auto& command = program.add_command(
      "ab", "Time two builds in turns, by fresh processes, until it is clear which is faster");
  const auto arguments = std::make_shared<AbArguments>();
  auto& options = arguments->options;
  constexpr auto* build = "Build folder, or any folder with bin/vparity and bin/vparity-worker";
  command
      .add_texts("MATRIX", arguments->matrices, "FILE",
                 "Matrix files with sweeps that measure throughput")
      .required();
  command.add_text("--base", arguments->base, "BUILD", build).required();
  command.add_text("--head", arguments->head, "BUILD", build).required();
  constexpr int most_pairs = 1000;
  const NumberRange<int> range{static_cast<int>(reports::fewest_pairs), most_pairs};
  command.add_number("--pairs", options.pairs, "Pairs of processes between two looks at the data",
                     range);
  command.add_number("--max-pairs", options.max_pairs, "Stop after N pairs", range);
  command.add_text("--out", options.out, "DIR", "Folder for the runs and comparison.json")
      .default_text("vparity-out/ab-<UTC time>");
  add_comparison_options(command, arguments->criteria, options.json);
  command.add_flag("-v", options.all, "Print every case, also those that did not change");
  add_options_of_run(command, *arguments);
  command.footer(
      "A build against itself shows how many false alarms there are, and which change\n"
      "would have been found (docs/comparing.md).\n\n"
      "Exit codes:\n"
      "    0  nothing got worse\n"
      "    1  a regression, confirmed\n"
      "    2  invalid command line or matrix\n"
      "    3  no regression, but a process of either build ended with 3\n"
      "    4  no regression, but a process of either build ended with 4\n"
      "    5  cases are missing, not comparable or still inconclusive\n"
      "  129, 130, 143  interrupted (HUP, INT, TERM); complete pairs are compared\n\n"
      "Example:\n"
      "  vparity ab --base ../main/build --head build matrices/throughput.json \\\n"
      "      --filter '*,tokens=128,tp=2,*' --launcher threads");
  command.action([&command, arguments] { return run_ab_command(command, *arguments); });
}

}  // namespace vparity::harness
