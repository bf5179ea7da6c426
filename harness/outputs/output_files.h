// What CI systems and people read of a run, beside its parity.json.
#pragma once

#include <filesystem>

#include "reports/model.h"

namespace vparity::harness {

/// junit.xml and summary.md (docs/report-files.md), each whole or as it was before. Throws
/// std::system_error naming the path.
void write_outputs(const reports::ParityReport& report, const std::filesystem::path& directory);

/// parity.json, whole or as it was before. Throws std::system_error naming the path.
void write_parity(const reports::ParityReport& report, const std::filesystem::path& directory);

/// parity.json, then the outputs.
void write_report(const reports::ParityReport& report, const std::filesystem::path& directory);

/// On standard output, under GITHUB_ACTIONS=true: annotations of what makes the gate say no.
void print_annotations(const reports::ParityReport& report);

}  // namespace vparity::harness
