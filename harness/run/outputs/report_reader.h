// Reads and checks the reports of finished runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::harness {

/// parity.json and throughput.json of a run's directory, as far as they are there. Throws
/// UsageError naming the file and the place in it: not there, not JSON, against the schema, or
/// contradicting itself (an id that is not its key's or stands there twice, a summary that is not
/// that of its cases), or not of one run.
reports::Report read_report(const std::string& run);

/// The files that a run is read from, now or by --resume. They need not exist.
std::vector<std::filesystem::path> inputs_of(const std::string& run);

}  // namespace vparity::harness
