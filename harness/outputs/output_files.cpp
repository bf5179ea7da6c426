#include "harness/outputs/output_files.h"

#include <cstdlib>
#include <string_view>

#include "harness/case/axes.h"
#include "harness/standard_output.h"
#include "reports/annotations.h"
#include "reports/atomic_file.h"
#include "reports/json_text.h"
#include "reports/junit.h"
#include "reports/markdown_summary.h"

namespace vparity::harness {
namespace {

std::string default_key() { return case_key(CaseParameters{}); }

/// https://docs.github.com/actions/reference/workflows-and-actions/variables
bool under_github_actions() {
  const char* value = std::getenv("GITHUB_ACTIONS");
  return value != nullptr && value == std::string_view("true");
}

}  // namespace

void write_outputs(const reports::ParityReport& report, const std::filesystem::path& directory) {
  reports::write_file_atomically(directory / "junit.xml",
                                 reports::junit_xml(report, default_key()));
  reports::write_file_atomically(directory / "summary.md",
                                 reports::markdown_summary(report, default_key()));
}

void write_parity(const reports::ParityReport& report, const std::filesystem::path& directory) {
  reports::write_file_atomically(directory / "parity.json",
                                 reports::json_document(to_json(report)));
}

void write_report(const reports::ParityReport& report, const std::filesystem::path& directory) {
  write_parity(report, directory);
  write_outputs(report, directory);
}

void print_annotations(const reports::ParityReport& report) {
  if (under_github_actions()) print_commands(reports::github_annotations(report, default_key()));
}

}  // namespace vparity::harness
