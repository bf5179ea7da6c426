// Where a series suddenly rose, found as soon as two values are too high. What it finds and how
// often it is wrong: docs/history.md.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vparity::reports {

struct SuddenRiseCriteria {
  double smallest = std::log(1.1);  ///< how far above the median a value has to lie
  std::size_t in_a_row = 2;         ///< how many values in a row have to lie there
  std::size_t window = 10;          ///< the median is of so many values before them
  std::size_t fewest = 5;           ///< at the beginning of a series the window may be this short
  double back_within = std::log(1.02);  ///< how near to the old median the series is back
  std::size_t level = 3;                ///< the median of so many values in a row has to be back
};

struct SuddenRise {
  std::size_t at = 0;                    ///< index of the first value that is too high
  double before = 0;                     ///< median of the values before it
  double after = 0;                      ///< median from there on, until the series is back
  std::optional<std::size_t> back = {};  ///< index of the first value that is back
};

/// The sudden rises of a series, in its order. The values are finite and compared by their
/// difference, as in change_points().
///
/// A rise is where `in_a_row` values all lie more than `smallest` above the median of the `window`
/// values before them. Until the series is back, another such place within `window` values belongs
/// to the same rise; a later one is a rise from the new level.
std::vector<SuddenRise> sudden_rises(std::span<const double> values,
                                     const SuddenRiseCriteria& criteria);

}  // namespace vparity::reports
