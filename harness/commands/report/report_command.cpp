// `vparity report`: writes the outputs of finished runs again, or one page of several runs.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "harness/commands/command_line/command.h"
#include "harness/commands/command_line/program.h"
#include "harness/commands/history/accepted_changes_file.h"
#include "harness/commands/history/store.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "reports/model/exit_code.h"
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

/// Reads every report before anything is written.
std::vector<reports::Report> read_reports(const std::vector<std::string>& runs) {
  std::vector<reports::Report> found;
  for (const auto& run : runs) found.push_back(read_report(run));
  return found;
}

void write_outputs_again(const reports::Report& report, const std::string& directory) {
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
      throw UsageError(fmt::format("--out: {} exists already", there.string()));
  }
}

/// The page must not replace a file that it is made of.
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

void write_reports(const ReportArguments& arguments) {
  const bool page = !arguments.html.empty();
  if (page) prepare_page(arguments);
  const bool elsewhere = !arguments.out.empty();
  if (elsewhere && arguments.runs.size() > 1)
    throw UsageError(
        "report: --out takes one run; without --out the outputs of each run go into its own folder "
        "(vparity merge makes one report of shards)");
  const auto found = read_reports(arguments.runs);
  if (page) return write_page(found, arguments);
  if (elsewhere) make_folder_for_outputs(found[0], arguments.out);
  for (std::size_t i = 0; i < found.size(); ++i)
    write_outputs_again(found[i], elsewhere ? arguments.out : arguments.runs[i]);
}

}  // namespace

void add_report_command(Command& program) {
  auto& command = program.add_command(
      "report", "Write the outputs of finished runs again, or one page of several runs");
  const auto arguments = std::make_shared<ReportArguments>();
  command
      .add_texts("RUN", arguments->runs, "DIR",
                 "Folders of finished runs, with parity.json or throughput.json")
      .required();
  command.add_text("--out", arguments->out, "DIR", "Write the outputs of the run here")
      .default_text("the run's own folder");
  command
      .add_text("--html", arguments->html, "FILE",
                "Write only this: one page for a browser with all these runs")
      .excludes("--out");
  command
      .add_text("--history", arguments->history, "DIR",
                "With --html: add this history of nightly runs to the page")
      .needs("--html");
  command
      .add_text("--accepted", arguments->accepted, "FILE",
                "With --history: intended changes (vparity schema accepted-changes)")
      .needs("--history");
  command.footer(
      "The outputs are junit.xml, summary.md, benchmark.json for throughput, and\n"
      "report.html if this build has the viewer. They show each case with its error\n"
      "ratio: its largest error divided by the bound; above 1 the case has failed.\n\n"
      "Exit codes:\n"
      "    0  everything is written, whatever the verdict of the runs is\n"
      "    2  a report cannot be read, or a file would be replaced\n"
      "    3  a file could not be written\n\n"
      "Examples:\n"
      "  vparity report vparity-out/ci-20261129T161501Z\n"
      "  vparity report monday tuesday --html week.html\n"
      "  vparity report tonight --html report.html --history history");
  command.action([arguments] {
    write_reports(*arguments);
    return reports::exit_passed;
  });
}

}  // namespace vparity::harness
