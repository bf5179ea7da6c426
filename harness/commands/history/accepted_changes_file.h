// The file of `history check --accepted`, "vparity.accepted-changes/1" (docs/history.md).
#pragma once

#include <string>
#include <vector>

#include "reports/history/accepted_changes.h"

namespace vparity::harness {

/// Its entries. Throws UsageError naming the file and the place in it: not readable, not JSON,
/// against the schema, a day that no calendar has, the same `match` of a measure and a day twice,
/// or one that no case key can ever match.
std::vector<reports::AcceptedChange> read_accepted_changes(const std::string& path);

}  // namespace vparity::harness
