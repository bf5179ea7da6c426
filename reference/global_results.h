// Sums and means over the rows of all data-parallel ranks (semantics 4).
#pragma once

#include <cstdint>

#include "reference/neumaier_sum.h"
#include "reference/row_statistics.h"

namespace vparity::reference {

/// Adds rows in any grouping: accumulate each rank's rows, then combine. Rows that are not valid
/// add nothing. A loss beyond the range of fp32, its output type, counts as an infinity. Infinite
/// and NaN results have bound 0.
class GlobalAccumulator {
 public:
  void add(const RowStatistics& row);
  void combine(const GlobalAccumulator& other);

  std::int64_t valid_tokens() const { return valid_tokens_; }
  std::int64_t degenerate_rows() const { return degenerate_rows_; }
  Bounded loss_sum() const;
  Bounded loss_mean() const;
  Bounded entropy_mean() const;

 private:
  // Trivially copyable, so that ranks can exchange it.
  struct Sum {
    NeumaierSum finite;
    double exceptional = 0;  ///< sum of the infinite and NaN terms
    double absolute = 0, bound = 0;
    void add(const Bounded& term);
    void combine(const Sum& other);
    Bounded over(std::int64_t count) const;
  };
  Sum loss_, entropy_;
  std::int64_t valid_tokens_ = 0;
  std::int64_t degenerate_rows_ = 0;
};

}  // namespace vparity::reference
