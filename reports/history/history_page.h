// A history as the page report.html carries it: what its lists need as JSON, and the series
// themselves in blocks that the viewer unpacks when it draws them.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/history/accepted_changes.h"
#include "reports/history/alarms.h"
#include "reports/history/history.h"

namespace vparity::reports {

/// `history` is empty or has a point for every night in each series.
struct HistoryPage {
  const History* history = nullptr;
  HistoryCheck check = {};  ///< of the same history, with these accepted changes
  std::vector<AcceptedChange> accepted = {};
};

/// The blocks begin at the page's block `first_block`.
nlohmann::ordered_json history_json(const HistoryPage& page, std::size_t first_block);
/// The blocks' bytes, see packed_series.h.
std::vector<std::string> history_blocks(const History& history);

}  // namespace vparity::reports
