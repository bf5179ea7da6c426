// The file of --known-failures, "vparity.known-failures/1" (docs/known-failures.md).
#pragma once

#include <string>
#include <vector>

#include "reports/model/known_failures.h"

namespace vparity::harness {

/// Its entries; how many cases each matches is not known yet. Throws UsageError naming the file and
/// the place in it: not readable, not JSON, against the schema, a day that no calendar has, the
/// same `match` twice, or one that no case key can ever match.
std::vector<reports::KnownFailure> read_known_failures(const std::string& path);

}  // namespace vparity::harness
