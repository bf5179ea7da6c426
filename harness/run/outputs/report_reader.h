// Reports of finished runs, read back as strictly as they were written.
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

/// What a run is read from, now or when it is gone on with, whether it is there or not.
std::vector<std::filesystem::path> inputs_of(const std::string& run);

}  // namespace vparity::harness
