// The changes of level of one series that the two rules find together: docs/history.md.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "reports/statistics/change_points.h"
#include "reports/statistics/sudden_rises.h"

namespace vparity::reports {

inline const ChangePointCriteria looking_back{};
inline const SuddenRiseCriteria sudden{};

/// Indices and levels refer to the values. A level is the median of its values.
struct Shift {
  std::size_t at = 0;            ///< the first value of the new level
  bool by_sudden_rise = false;   ///< statistics/sudden_rises.h
  bool by_change_point = false;  ///< statistics/change_points.h
  double before = 0, after = 0;
  std::optional<double> p = {};  ///< of the change point
  /// Of a rise: the first value of a later level that is back or lower than before.
  std::optional<std::size_t> back = {};

  bool is_rise() const { return after > before; }
};

/// The shifts of a series, in its order. The values are finite and compared by their difference. A
/// rise that both rules find is one shift, with the place and the levels of the change point.
std::vector<Shift> shifts_of(std::span<const double> values);

/// With fewer values neither rule can find anything.
std::size_t fewest_to_judge();

}  // namespace vparity::reports
