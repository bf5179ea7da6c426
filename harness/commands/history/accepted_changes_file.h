// The file of `history check --accepted`, "vparity.accepted-changes/1" (docs/history.md).
#pragma once

#include <string>
#include <vector>

#include "reports/history/accepted_changes.h"

namespace vparity::harness {

/// The entries of the file. Throws UsageError naming the file and the place in it if it cannot be
/// read, is not JSON, violates the schema, names a day that does not exist, has two entries of the
/// same `match`, measure and day, or a `match` that no case key can match.
std::vector<reports::AcceptedChange> read_accepted_changes(const std::string& path);

}  // namespace vparity::harness
