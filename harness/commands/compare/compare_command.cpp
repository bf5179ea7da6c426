// `vparity compare`: what changed between the runs of two sides.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/comparison_arguments.h"
#include "harness/commands/command_line/text_option.h"
#include "harness/io/atomic_file.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "reports/comparison/comparison_text.h"
#include "reports/model/json_text.h"

namespace vparity::harness {
namespace {

struct CompareArguments {
  std::vector<std::string> folders;  ///< BASE HEAD
  std::vector<std::string> base, head;
  ComparisonArguments comparison;
  std::string html;
  bool all = false;
};

/// The two folders, or the lists.
void settle_sides(CompareArguments& arguments) {
  const bool lists = !arguments.base.empty() || !arguments.head.empty();
  if (arguments.folders.size() == 2 && !lists) {
    arguments.base = {arguments.folders[0]};
    arguments.head = {arguments.folders[1]};
  } else if (!arguments.folders.empty() || arguments.base.empty() || arguments.head.empty()) {
    throw UsageError("compare: takes BASE HEAD, or --base RUN... --head RUN...");
  }
  if (arguments.base.size() != arguments.head.size())
    throw UsageError(
        fmt::format("compare: {} runs of base and {} of head make no pairs: the first of base is "
                    "compared with the first of head, and so on",
                    arguments.base.size(), arguments.head.size()));
}

/// One process that is counted twice would pass for two.
std::vector<reports::ComparedRun> read_side(const std::vector<std::string>& folders) {
  std::vector<reports::ComparedRun> runs;
  std::set<std::string> ids;
  for (const auto& folder : folders) {
    runs.push_back({folder, read_report(folder)});
    if (!ids.insert(runs.back().report.run.id).second)
      throw UsageError(fmt::format("compare: {}: the run {} stands on this side twice", folder,
                                   runs.back().report.run.id));
  }
  return runs;
}

int run_compare(CompareArguments& arguments) {
  if (!arguments.html.empty()) require_viewer("compare");
  settle_sides(arguments);
  std::vector<std::filesystem::path> inputs;
  for (const auto* side : {&arguments.base, &arguments.head})
    for (const auto& run : *side) std::ranges::copy(inputs_of(run), std::back_inserter(inputs));
  if (!arguments.html.empty()) refuse_to_replace("--html", arguments.html, inputs);
  if (!arguments.comparison.json.empty())
    refuse_to_replace("--json", arguments.comparison.json, inputs);
  const auto base = read_side(arguments.base), head = read_side(arguments.head);
  const auto comparison = reports::compare_runs(base, head, arguments.comparison.options);
  if (!arguments.html.empty()) write_comparison_page(comparison, base, head, arguments.html);
  if (!arguments.comparison.json.empty())
    reports::write_file_atomically(arguments.comparison.json,
                                   reports::json_document(to_json(comparison)));
  print_out(comparison_text(comparison, case_key(CaseParameters{}), arguments.all));
  return exit_code(comparison);
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App& command = *app.add_subcommand(
      "compare", "What changed between runs: parity, error ratios, throughput with intervals");
  command.add_option("RUN", arguments->folders, "Folders of two runs: BASE HEAD")
      ->check(not_empty)
      ->expected(1, 2)
      ->type_name("DIR");
  const auto add_side = [&command](const char* name, std::vector<std::string>& runs) {
    command.add_option(name, runs, "Several runs of this side; the n-th of both are a pair")
        ->check(not_empty)
        ->type_name("RUN...");
  };
  add_side("--base", arguments->base);
  add_side("--head", arguments->head);
  add_comparison_arguments(command, arguments->comparison);
  command
      .add_option("--html", arguments->html,
                  "Write the comparison and the runs here, as a page for a browser")
      ->check(not_empty)
      ->type_name("FILE");
  command.add_flag("--across-builds", arguments->comparison.options.across_builds,
                   "Compare also builds of another compiler, type or flags");
  command.add_flag("-v", arguments->all, "Every case, also those without a change");
  command.footer(
      "A run is one process for each case, and one process is no sample of processes: verdicts\n"
      "on throughput take 4 runs of each side at least (docs/comparing.md).\n\n"
      "Exit codes:\n"
      "    0  nothing got worse\n"
      "    1  parity has regressed, or throughput has, confirmed\n"
      "    2  usage, or a report that cannot be read\n"
      "    5  else: cases are missing, not comparable or inconclusive\n\n"
      "Examples:\n"
      "  vparity compare yesterday today --json comparison.json\n"
      "  vparity compare --base b1 b2 b3 b4 --head h1 h2 h3 h4");
  command.callback([arguments, &exit_code] { exit_code = run_compare(*arguments); });
}

}  // namespace vparity::harness
