// What CI systems and people read of a run, beside its parity.json.
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

/// These, each whole or as it was before. Throws
/// std::system_error naming the path.
void write_outputs(const reports::Report& report, const std::filesystem::path& directory);

/// One page of all runs, as write_outputs writes report.html of one, and of a comparison of them if
/// that is not null. Throws std::logic_error without the viewer.
void write_html(const std::vector<reports::NamedReport>& runs, const std::filesystem::path& file,
                const nlohmann::ordered_json& comparison = nullptr,
                const reports::HistoryPage* history = nullptr);

/// The page of a comparison and of its runs. A run that stands on both sides is one of each.
void write_comparison_page(const reports::Comparison& comparison,
                           const std::vector<reports::ComparedRun>& base,
                           const std::vector<reports::ComparedRun>& head,
                           const std::filesystem::path& file);

/// Throws UsageError, which names `command` and how to get the viewer, where this build has none.
void require_viewer(std::string_view command);

/// What stands in one file for each measure that the report has cases of: parity.json,
/// throughput.json.
std::vector<std::string> measured_files(const reports::Report& report);

/// These, each whole or as it was before. Throws std::system_error naming the path.
void write_measured(const reports::Report& report, const std::filesystem::path& directory);

/// These, then the outputs.
void write_report(const reports::Report& report, const std::filesystem::path& directory);

/// On standard output, under GITHUB_ACTIONS=true: annotations of what makes the gate say no.
void print_annotations(const reports::Report& report);
/// The same of other messages that say no.
void print_annotations(const std::vector<std::string>& messages);

}  // namespace vparity::harness
