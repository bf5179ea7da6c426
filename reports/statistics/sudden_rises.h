// Where a series suddenly rose, seen within two values. What that finds and how often it is wrong:
// docs/history.md.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vparity::reports {

struct SuddenRiseCriteria {
  double smallest = std::log(1.1);      ///< above the median before
  double back_within = std::log(1.02);  ///< of it
  std::size_t in_a_row = 2;
  std::size_t window = 10;  ///< values that the median is of; at the beginning there are fewer
  std::size_t fewest = 5;   ///< of them
  std::size_t level = 3;    ///< values in a row whose median has to be back
};

struct SuddenRise {
  std::size_t at = 0;                    ///< the first of the values that are too high
  double before = 0;                     ///< the median of those before it
  double after = 0;                      ///< the median from there on, until it is back
  std::optional<std::size_t> back = {};  ///< the first value that is back
};

/// Of values that one compares by their difference, as change_points() takes them. What is not
/// finite is left out. In the order of the series.
///
/// It has risen where `in_a_row` values are all more than `smallest` above the median of the
/// `window` before them. Until the values are back, what rises within `window` values is that rise;
/// later it is another, from where they are.
std::vector<SuddenRise> sudden_rises(std::span<const double> values,
                                     const SuddenRiseCriteria& criteria);

}  // namespace vparity::reports
