// `vparity ab`: is one build faster than another?
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/ab/ab.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/comparison_arguments.h"
#include "harness/commands/command_line/number_option.h"
#include "harness/commands/command_line/text_option.h"

namespace vparity::harness {
namespace {

struct AbArguments {
  AbOptions options;
  std::string base, head;
  std::vector<std::string> matrices;
  std::vector<std::string> words;  ///< options of `vparity run`
  ComparisonArguments comparison;
};

/// Each build reads its own options: this program does not know what values they take.
void add_run_options(CLI::App& command, std::vector<std::string>& words) {
  struct Option {
    const char *name, *type, *description;
  };
  static constexpr Option options[] = {
      {"--filter", "GLOB", "Cases whose key matches"},
      {"--case", "ID", "The one case of that id"},
      {"--provider", "NAME", "Override the matrix: the provider under test"},
      {"--backend", "NAME", "Override the matrix: where the kernels run"},
      {"--transport", "NAME", "Override the matrix: how the ranks communicate"},
      {"--seed", "N", "Override the matrix: seed of all generated inputs"},
      {"--max-ranks", "N", "Skip cases that need more ranks"},
      {"--launcher", "NAME", "What starts the ranks"},
      {"--launcher-arg", "A", "Passed to the launcher; repeatable"},
      {"--timeout", "X", "Seconds per case"},
      {"--launch-timeout", "X", "Seconds until all ranks are up"}};
  for (const auto& option : options) {
    const std::string name = option.name;
    const auto keep = [&words, name](const std::string& text) {
      words.push_back(name + "=" + text);
    };
    command.add_option_function<std::string>(name, keep, option.description)
        ->trigger_on_parse()
        ->check(not_empty)
        ->type_name(option.type)
        ->group("Passed on to vparity run");
  }
}

int run_command(AbArguments& arguments) {
  auto& options = arguments.options;
  options.base = build_at("--base", arguments.base);
  options.head = build_at("--head", arguments.head);
  if (options.max_pairs < options.pairs) throw UsageError("ab: --max-pairs is less than --pairs");
  options.run_words = arguments.words;
  options.run_words.insert(options.run_words.end(), arguments.matrices.begin(),
                           arguments.matrices.end());
  options.threshold = arguments.comparison.options.criteria.threshold;
  options.confidence = arguments.comparison.options.criteria.confidence;
  options.json = arguments.comparison.json;
  return run_ab(options);
}

void add_build(CLI::App& command, const char* name, std::string& path) {
  command.add_option(name, path, "Build directory, or any with bin/vparity and its worker")
      ->required()
      ->check(not_empty)
      ->type_name("BUILD");
}

}  // namespace

void add_ab_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<AbArguments>();
  CLI::App& command = *app.add_subcommand(
      "ab", "Time two builds in turns, by fresh processes, until it is clear which is faster");
  command
      .add_option("MATRIX", arguments->matrices, "Matrix files with sweeps that measure throughput")
      ->required()
      ->check(not_empty)
      ->type_name("FILE");
  add_build(command, "--base", arguments->base);
  add_build(command, "--head", arguments->head);
  constexpr int most_pairs = 1000;
  const NumberRange<int> range{static_cast<int>(reports::fewest_pairs), most_pairs};
  add_number(command, "--pairs", arguments->options.pairs, "Pairs of processes between two looks",
             range);
  add_number(command, "--max-pairs", arguments->options.max_pairs, "Give up after as many", range);
  command.add_option("--out", arguments->options.out, "Folder for the runs and comparison.json")
      ->check(not_empty)
      ->type_name("DIR")
      ->default_str("vparity-out/ab-<UTC time>");
  add_comparison_arguments(command, arguments->comparison);
  command.add_flag("-v", arguments->options.all, "Every case, also those without a change");
  add_run_options(command, arguments->words);
  command.footer(
      "A build against itself says how many false alarms there are and what change would have\n"
      "been seen (docs/comparing.md).\n\n"
      "Exit codes: 0, 1, 2, 5 as for vparity compare; 3 or 4 if a process of either build ended "
      "so;\n"
      "129, 130, 143 interrupted (HUP, INT, TERM), with a comparison of the pairs there are\n\n"
      "Example:\n"
      "  vparity ab --base ../main/build --head build matrices/throughput.json \\\n"
      "      --filter '*,tokens=128,tp=2,*' --launcher threads");
  command.callback([arguments, &exit_code] { exit_code = run_command(*arguments); });
}

}  // namespace vparity::harness
