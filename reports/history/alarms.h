// Judges a history: which cases have changed, and which changes are alarms. The rules and how often
// they are wrong: docs/history.md.
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

/// Smaller error ratios count as this one: changes far below the bound are no news.
inline constexpr double error_ratio_floor = 0.1;

/// A change of the level of one series.
struct Finding {
  std::size_t series = 0;
  Trace::Unit unit = Trace::Unit::error_ratio;
  std::size_t last_before = 0;           ///< the last night of the old level
  std::size_t night = 0;                 ///< the first of the new level
  bool by_sudden_rise = false;           ///< found by statistics/sudden_rises.h
  bool by_change_point = false;          ///< found by statistics/change_points.h
  double before = 0, after = 0;          ///< the levels, in `unit`
  std::optional<double> p = {};          ///< p-value of the change point
  std::optional<std::size_t> back = {};  ///< of a rise: the first night back

  bool is_worse() const { return after > before; }
  /// An alarm.
  bool is_open() const { return is_worse() && !back; }
  double change() const { return after / before - 1; }
};

struct HistoryCheck {
  /// Open findings first, grouped by series, the series with the largest change first. Then the
  /// remaining ones, the newest first.
  std::vector<Finding> findings;
  /// Numbers of series: with enough nights for a rule; with fewer; not in any night of their matrix
  /// for a week, and therefore not judged.
  std::size_t judged = 0, too_short = 0, gone = 0;
  std::size_t judged_times = 0;                      ///< judged series of throughput
  std::size_t open_throughput = 0, open_parity = 0;  ///< series with an open finding
  std::size_t back = 0, better = 0;                  ///< findings
};

/// Judges the trace (history.h) of each series, from its last accepted change on.
HistoryCheck judge(const History& history, const std::vector<AcceptedChange>& accepted);

/// Sentences for the reader: entries that match no case or are not in force yet, a night since
/// which most times are longer, nights that are not compared.
std::vector<std::string> notes_on(const HistoryCheck& check, const History& history,
                                  const std::vector<AcceptedChange>& accepted);

/// "vparity.history-check/1".
nlohmann::ordered_json to_json(const HistoryCheck& check, const History& history,
                               const std::vector<AcceptedChange>& accepted);

/// 1 if a finding is open; otherwise 77 if no series has enough nights; otherwise 0.
ExitCode exit_code(const HistoryCheck& check);

}  // namespace vparity::reports
