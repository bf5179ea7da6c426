// A history in the page report.html: its lists as JSON, and its series in blocks that the viewer
// unpacks when it draws them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/history/accepted_changes.h"
#include "reports/history/alarms.h"
#include "reports/history/history.h"

namespace vparity::reports {

struct HistoryPage {
  const History* history = nullptr;
  HistoryCheck check = {};  ///< of this history, with these accepted changes
  std::vector<AcceptedChange> accepted = {};
};

/// The JSON part. The series' blocks begin with the page's block number `first_block`.
nlohmann::ordered_json history_json(const HistoryPage& page, std::size_t first_block);
/// The blocks' bytes, see packed_series.h.
std::vector<std::string> history_blocks(const History& history);

}  // namespace vparity::reports
