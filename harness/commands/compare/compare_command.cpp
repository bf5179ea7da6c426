// `vparity compare`: what changed between runs, base against head.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/commands/command_line/program.h"
#include "harness/commands/command_line/shared_options.h"
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
  reports::ComparisonOptions options;
  std::string json;  ///< file; empty: none
  std::string html;
  bool all = false;
};

/// Either two folders are given, or a list for each side.
void settle_sides(CompareArguments& arguments) {
  const bool lists = !arguments.base.empty() || !arguments.head.empty();
  if (arguments.folders.size() == 2 && !lists) {
    arguments.base = {arguments.folders[0]};
    arguments.head = {arguments.folders[1]};
  } else if (!arguments.folders.empty() || arguments.base.empty() || arguments.head.empty()) {
    throw UsageError("compare: give two runs, BASE HEAD, or --base RUN... --head RUN...");
  }
  if (arguments.base.size() != arguments.head.size())
    throw UsageError(
        fmt::format("compare: --base has {} runs and --head has {}; give equally many, the n-th of "
                    "both are compared as a pair",
                    arguments.base.size(), arguments.head.size()));
}

/// A run that is given twice would count as two processes.
std::vector<reports::ComparedRun> read_side(const std::vector<std::string>& folders) {
  std::vector<reports::ComparedRun> runs;
  std::set<std::string> ids;
  for (const auto& folder : folders) {
    runs.push_back({folder, read_report(folder)});
    if (!ids.insert(runs.back().report.run.id).second)
      throw UsageError(fmt::format("compare: {}: run {} is given twice on this side", folder,
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
  if (!arguments.json.empty()) refuse_to_replace("--json", arguments.json, inputs);
  const auto base = read_side(arguments.base), head = read_side(arguments.head);
  const auto comparison = reports::compare_runs(base, head, arguments.options);
  if (!arguments.html.empty()) write_comparison_page(comparison, base, head, arguments.html);
  if (!arguments.json.empty())
    reports::write_file_atomically(arguments.json, reports::json_document(to_json(comparison)));
  print_out(comparison_text(comparison, case_key(CaseParameters{}), arguments.all));
  return exit_code(comparison);
}

}  // namespace

void add_compare_command(Command& program) {
  auto& command = program.add_command(
      "compare", "Compare runs: parity, error ratios, and times with confidence intervals");
  const auto arguments = std::make_shared<CompareArguments>();
  command.add_texts("RUN", arguments->folders, "DIR", "Folders of two runs: BASE HEAD");
  command.add_texts("--base", arguments->base, "RUN", "Several runs of the base side");
  command.add_texts("--head", arguments->head, "RUN",
                    "As many of the head side; the n-th runs of both sides are a pair");
  add_comparison_options(command, arguments->options.criteria, arguments->json);
  command.add_text("--html", arguments->html, "FILE",
                   "Also write a page for a browser with the comparison and its runs");
  command.add_flag("--across-builds", arguments->options.across_builds,
                   "Allow builds with another compiler, build type or flags");
  command.add_flag("-v", arguments->all, "Print every case, also those that did not change");
  command.footer(
      "A verdict on times needs at least 4 runs of each side, because it compares\n"
      "processes and a run is one process for each case (docs/comparing.md).\n\n"
      "Exit codes:\n"
      "    0  nothing got worse\n"
      "    1  parity has regressed, or a time has, confirmed\n"
      "    2  invalid command line, or a report that cannot be read\n"
      "    5  no regression, but cases are missing, not comparable or inconclusive\n\n"
      "Examples:\n"
      "  vparity compare yesterday today --json comparison.json\n"
      "  vparity compare --base b1 b2 b3 b4 --head h1 h2 h3 h4");
  command.action([arguments] { return run_compare(*arguments); });
}

}  // namespace vparity::harness
