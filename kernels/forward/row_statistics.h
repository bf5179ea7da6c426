// The outputs of one row, from its merged sums (semantics 2 and 5).
#pragma once

#include "merge.h"
#include "vparity/options.h"

namespace vparity {

/// In double, so that each output is rounded once. `logprob`, `entropy` and the smoothing term are
/// formed from (F, L), never from `lse`, which drops the fraction at a large common offset. NaN
/// rows and rows without a valid column give NaN by the same formulas (the latter: lse -inf).
class RowStatistics {
 public:
  RowStatistics(const FullRowSums& sums, const Options& options);

  bool degenerate() const;  ///< no valid column

  double log_sum() const { return log_sum_; }
  double entropy() const;
  double lse() const;

  /// Of an id that is not ignored; `target` = f(x_id).
  double logprob(float target) const;
  double loss(float target) const;

 private:
  double smoothing_term() const;

  const FullRowSums& sums_;
  const Options& options_;
  double log_sum_;
};

}  // namespace vparity
