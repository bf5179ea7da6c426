// The JSON Schemas that this build's reports obey, and what it reads beside them (`vparity
// schema`).
#pragma once

#include <string_view>

namespace vparity::reports {

/// Of parity.json, "vparity.parity/1".
std::string_view parity_schema();

/// Of throughput.json, "vparity.throughput/1": that of parity.json with another kind of case.
std::string_view throughput_schema();

/// Of `compare --json FILE`, "vparity.comparison/1".
std::string_view comparison_schema();

/// Of the file of --known-failures, "vparity.known-failures/1".
std::string_view known_failures_schema();

/// Of the files of a history (docs/history.md), "vparity.night/1" and "vparity.case-list/1".
std::string_view night_schema();
std::string_view case_list_schema();

/// Of `history check --json FILE`, "vparity.history-check/1", and of the file of its --accepted,
/// "vparity.accepted-changes/1".
std::string_view history_check_schema();
std::string_view accepted_changes_schema();

}  // namespace vparity::reports
