// The files of a run for CI systems and people, next to its parity.json.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "reports/comparison/comparison.h"
#include "reports/model/model.h"
#include "reports/outputs/html_report.h"

namespace vparity::harness {

/// junit.xml, summary.md, of throughput benchmark.json, and where this build has the viewer
/// report.html (docs/report-files.md).
std::vector<std::string> output_files(const reports::Report& report);

/// Writes the outputs. Each file is replaced completely or not at all. Throws std::system_error
/// naming the path.
void write_outputs(const reports::Report& report, const std::filesystem::path& directory);

/// One page of all runs, as write_outputs writes report.html of one, and of a comparison of them if
/// that is not null. Throws std::logic_error without the viewer.
void write_html(const std::vector<reports::NamedReport>& runs, const std::filesystem::path& file,
                const nlohmann::ordered_json& comparison = nullptr,
                const reports::HistoryPage* history = nullptr);

/// The page of a run comparison and its runs. A run on both sides appears on both.
void write_comparison_page(const reports::Comparison& comparison,
                           const std::vector<reports::ComparedRun>& base,
                           const std::vector<reports::ComparedRun>& head,
                           const std::filesystem::path& file);

/// Throws UsageError if this build has no viewer. It names `command` and says how to get the
/// viewer.
void require_viewer(std::string_view command);

/// The reports, one file per measure that has cases: parity.json, throughput.json.
std::vector<std::string> measured_files(const reports::Report& report);

/// Writes the reports. Each file is replaced completely or not at all. Throws std::system_error
/// naming the path.
void write_measured(const reports::Report& report, const std::filesystem::path& directory);

/// Writes the reports, then the outputs.
void write_report(const reports::Report& report, const std::filesystem::path& directory);

/// If GITHUB_ACTIONS=true, prints an annotation for everything that makes the gate fail.
void print_annotations(const reports::Report& report);
/// Prints the same annotations for other failure messages.
void print_annotations(const std::vector<std::string>& messages);

}  // namespace vparity::harness
