// Which cases of a history have changed, and which of them somebody has to look at. Rules and how
// often they are wrong: docs/history.md.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/history/accepted_changes.h"
#include "reports/history/history.h"
#include "reports/model/exit_code.h"

namespace vparity::reports {

/// Parity error ratios below it are no news: they count as this.
inline constexpr double error_ratio_floor = 0.1;

/// A series has another level from a night on.
struct Finding {
  std::size_t series = 0;
  Trace::Unit unit = Trace::Unit::error_ratio;
  std::size_t last_before = 0;           ///< the last night of the level before
  std::size_t night = 0;                 ///< the first of the new level
  bool by_sudden_rise = false;           ///< two nights in a row (statistics/sudden_rises.h)
  bool by_change_point = false;          ///< looking back (statistics/change_points.h)
  double before = 0, after = 0;          ///< levels, in the unit
  std::optional<double> p = {};          ///< of the change point
  std::optional<std::size_t> back = {};  ///< of a worse one: the first night that is no worse

  bool is_worse() const { return after > before; }
  /// To be looked at.
  bool is_open() const { return is_worse() && !back; }
  double change() const { return after / before - 1; }
};

struct HistoryCheck {
  /// Open ones first, series by series, that with the largest change first; then the newest first.
  std::vector<Finding> findings;
  /// Series: those with enough nights for a rule; those with fewer; those that no night of their
  /// matrix has had for a week, of which nothing is said.
  std::size_t judged = 0, too_short = 0, gone = 0;
  std::size_t judged_times = 0;                      ///< of those judged, of throughput
  std::size_t open_throughput = 0, open_parity = 0;  ///< series with an open finding
  std::size_t back = 0, better = 0;                  ///< findings
};

/// Of each series the trace (history.h), from the last change on that was accepted.
HistoryCheck judge(const History& history, const std::vector<AcceptedChange>& accepted);

/// What a reader has to know beside the findings: entries that match no case or are not in force
/// yet, a night since which most times are longer.
std::vector<std::string> notes_on(const HistoryCheck& check, const History& history,
                                  const std::vector<AcceptedChange>& accepted);

/// "vparity.history-check/1".
nlohmann::ordered_json to_json(const HistoryCheck& check, const History& history,
                               const std::vector<AcceptedChange>& accepted);

/// 1 if a finding is open; else 77 if no series has nights enough; else 0.
ExitCode exit_code(const HistoryCheck& check);

}  // namespace vparity::reports
