// What is true of any row's outputs, whatever they are.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "harness/rank/element_comparison/deviation.h"
#include "harness/rank/ranks/process_grid.h"
#include "reference/row_statistics.h"

namespace vparity::harness {

/// The gradient of one row, summed over some of its columns, and the error the sum may have.
struct GradientSum {
  double value = 0;
  double bound = 0;
};

/// Whether the gradient of this row sums to 0: adding a constant to all logits changes neither
/// logprob nor entropy nor loss, unless a softcap or a z-loss looks at their size. Not of rows
/// whose gradient is 0 or NaN everywhere.
bool gradient_sums_to_zero(const reference::RowGradient& row);

/// Collective over the TP group. `own`: of this rank's columns, row by row, the same rows on all
/// ranks of the group, with their global numbers.
struct OwnGradientSum {
  std::int64_t row = 0;
  GradientSum sum;
};
Deviation gradient_row_sum(const ProcessGrid& grid, const std::vector<OwnGradientSum>& own);

/// A sum of rows as they were given, in fp32, and by how much the rounding to that may have changed
/// it. A sum that is accumulated in fp64 (semantics 4) has no other reason to differ.
class RowSum {
 public:
  void add(float value);
  void combine(const RowSum& other);

  /// Whether there are rows, all of them finite.
  bool comparable() const { return rows_ > 0 && std::isfinite(bound_); }
  double value() const { return value_; }
  double bound() const { return bound_; }

 private:
  std::int64_t rows_ = 0;
  double value_ = 0;
  double bound_ = 0;
};

/// Over the valid rows of a rank, or of all.
struct RowSums {
  RowSum loss;
  RowSum entropy;

  void combine(const RowSums& other) {
    loss.combine(other.loss);
    entropy.combine(other.entropy);
  }
};

/// How far an entropy is outside [0, log of the valid columns].
void add_entropy_range(Deviation& worst, double entropy, const reference::RowStatistics& expected,
                       const Place& place);

}  // namespace vparity::harness
