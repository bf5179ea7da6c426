#include "harness/run/outputs/output_files.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "harness/case/axes.h"
#include "harness/io/atomic_file.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "reports/model/json_text.h"
#include "reports/outputs/annotations.h"
#include "reports/outputs/google_benchmark.h"
#include "reports/outputs/html_report.h"
#include "reports/outputs/junit.h"
#include "reports/outputs/markdown_summary.h"

namespace vparity::harness {
namespace {

using reports::Measure;

std::string default_key() { return case_key(CaseParameters{}); }

/// https://docs.github.com/actions/reference/workflows-and-actions/variables
bool under_github_actions() {
  const char* value = std::getenv("GITHUB_ACTIONS");
  return value != nullptr && value == std::string_view("true");
}

std::string file_of(Measure measure) { return std::string(name_of(measure)) + ".json"; }

}  // namespace

std::vector<std::string> output_files(const reports::Report& report) {
  std::vector<std::string> files{"junit.xml", "summary.md"};
  if (report.has(Measure::throughput)) files.emplace_back("benchmark.json");
  if (reports::has_viewer()) files.emplace_back("report.html");
  return files;
}

void write_outputs(const reports::Report& report, const std::filesystem::path& directory) {
  reports::write_file_atomically(directory / "junit.xml",
                                 reports::junit_xml(report, default_key()));
  reports::write_file_atomically(directory / "summary.md",
                                 reports::markdown_summary(report, default_key()));
  if (report.has(Measure::throughput))
    reports::write_file_atomically(directory / "benchmark.json",
                                   reports::json_document(reports::google_benchmark(report)));
  if (reports::has_viewer()) write_html({{report.run.id, &report}}, directory / "report.html");
}

void write_html(const std::vector<reports::NamedReport>& runs, const std::filesystem::path& file,
                const nlohmann::ordered_json& comparison, const reports::HistoryPage* history) {
  reports::write_file_atomically(file,
                                 reports::html_report(runs, default_key(), comparison, history));
}

void write_comparison_page(const reports::Comparison& comparison,
                           const std::vector<reports::ComparedRun>& base,
                           const std::vector<reports::ComparedRun>& head,
                           const std::filesystem::path& file) {
  std::vector<reports::NamedReport> runs;
  for (const auto* side : {&base, &head})
    for (const auto& run : *side) runs.push_back({run.path, &run.report});
  write_html(runs, file, to_json(comparison));
}

void require_viewer(std::string_view command) {
  if (!reports::has_viewer())
    throw UsageError(
        fmt::format("{}: --html: this build has no viewer: with Node.js 18 or later and npm on the "
                    "machine, `make` builds it in (CONTRIBUTING.md)",
                    command));
}

std::vector<std::string> measured_files(const reports::Report& report) {
  std::vector<std::string> files;
  for (const Measure measure : {Measure::parity, Measure::throughput})
    if (report.has(measure)) files.push_back(file_of(measure));
  return files;
}

void write_measured(const reports::Report& report, const std::filesystem::path& directory) {
  for (const Measure measure : {Measure::parity, Measure::throughput}) {
    if (report.has(measure))
      reports::write_file_atomically(directory / file_of(measure),
                                     reports::json_document(to_json(report, measure)));
  }
}

void write_report(const reports::Report& report, const std::filesystem::path& directory) {
  write_measured(report, directory);
  write_outputs(report, directory);
}

void print_annotations(const reports::Report& report) {
  if (under_github_actions()) print_commands(reports::github_annotations(report, default_key()));
}

void print_annotations(const std::vector<std::string>& messages) {
  if (under_github_actions()) print_commands(reports::github_annotations(messages));
}

}  // namespace vparity::harness
