// `vparity report`: the outputs of finished runs, once more.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/commands.h"
#include "harness/commands/command_line/text_option.h"
#include "harness/commands/history/accepted_changes_file.h"
#include "harness/commands/history/store.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "reports/model/gate.h"

namespace vparity::harness {
namespace {

struct ReportArguments {
  std::vector<std::string> runs;
  std::string out;
  std::string html;
  std::string history;
  std::string accepted;
};

/// All are read before anything is written.
std::vector<reports::Report> read_reports(const std::vector<std::string>& runs) {
  std::vector<reports::Report> found;
  for (const auto& run : runs) found.push_back(read_report(run));
  return found;
}

void report_again(const reports::Report& report, const std::string& directory) {
  write_outputs(report, directory);
  for (const auto& file : output_files(report)) print_line(fmt::format("{}/{}", directory, file));
  print_annotations(report);
  print_line(verdict_line(report.summary));
}

void make_folder_for_outputs(const reports::Report& report, const std::string& path) {
  make_output_folder("--out", path);
  for (const auto& file : output_files(report)) {
    const auto there = std::filesystem::path(path) / file;
    if (std::filesystem::exists(there))
      throw UsageError(fmt::format("--out: {} is there already", there.string()));
  }
}

/// Whatever goes into the page is not written over by it.
void prepare_page(const ReportArguments& arguments) {
  require_viewer("report");
  std::vector<std::filesystem::path> inputs;
  for (const auto& run : arguments.runs)
    std::ranges::copy(inputs_of(run), std::back_inserter(inputs));
  for (const auto* input : {&arguments.history, &arguments.accepted})
    if (!input->empty()) inputs.emplace_back(*input);
  refuse_to_replace("--html", arguments.html, inputs);
}

void write_page_with_history(const std::vector<reports::NamedReport>& runs,
                             const ReportArguments& arguments) {
  const auto history = read_history(arguments.history);
  reports::HistoryPage page{.history = &history};
  if (!arguments.accepted.empty()) page.accepted = read_accepted_changes(arguments.accepted);
  page.check = judge(history, page.accepted);
  write_html(runs, arguments.html, nullptr, &page);
}

void write_page(const std::vector<reports::Report>& found, const ReportArguments& arguments) {
  std::vector<reports::NamedReport> runs;
  for (std::size_t i = 0; i < found.size(); ++i) runs.push_back({arguments.runs[i], &found[i]});
  if (arguments.history.empty())
    write_html(runs, arguments.html);
  else
    write_page_with_history(runs, arguments);
  print_line(arguments.html);
  for (std::size_t i = 0; i < found.size(); ++i)
    print_line(fmt::format("{}: {}", arguments.runs[i], verdict_line(found[i].summary)));
}

void run_report(const ReportArguments& arguments) {
  const bool page = !arguments.html.empty();
  if (page) prepare_page(arguments);
  const bool elsewhere = !arguments.out.empty();
  if (elsewhere && arguments.runs.size() > 1)
    throw UsageError(
        "report: --out takes the outputs of one run; without it, each run's go into "
        "its own directory (vparity merge makes one report of shards)");
  const auto found = read_reports(arguments.runs);
  if (page) return write_page(found, arguments);
  if (elsewhere) make_folder_for_outputs(found[0], arguments.out);
  for (std::size_t i = 0; i < found.size(); ++i)
    report_again(found[i], elsewhere ? arguments.out : arguments.runs[i]);
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App& command = *app.add_subcommand("report", "Write the outputs of finished runs once more");
  command
      .add_option("RUN", arguments->runs,
                  "Directories of runs, with parity.json or throughput.json")
      ->required()
      ->check(not_empty)
      ->type_name("DIR");
  command.add_option("--out", arguments->out, "Write them here")
      ->type_name("DIR")
      ->check(not_empty)
      ->default_str("the run's own directory");
  command
      .add_option("--html", arguments->html,
                  "Write one page with all these runs for a browser, and nothing else")
      ->type_name("FILE")
      ->check(not_empty)
      ->excludes("--out");
  command.add_option("--history", arguments->history, "With this history in the page")
      ->type_name("DIR")
      ->check(not_empty)
      ->needs("--html");
  command
      .add_option("--accepted", arguments->accepted,
                  "Changes in it that are meant (vparity schema accepted-changes)")
      ->type_name("FILE")
      ->check(not_empty)
      ->needs("--history");
  command.footer(
      "Examples:\n"
      "  vparity report vparity-out/ci-20261129T161501Z\n"
      "  vparity report monday tuesday --html week.html\n"
      "  vparity report tonight --html report.html --history history");
  command.callback([arguments, &exit_code] {
    run_report(*arguments);
    exit_code = 0;
  });
}

}  // namespace vparity::harness
