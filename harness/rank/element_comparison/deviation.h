// What came of an invariant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/rank/element_comparison/compare.h"
#include "harness/rank/element_comparison/output.h"
#include "vparity/communicator.h"

namespace vparity::harness {

/// The place where an invariant is nearest to being violated, or furthest beyond. Trivially
/// copyable, so that ranks can exchange it.
class Deviation {
 public:
  /// `value` has to be at most `bound`; NaN is not. A column of -1: the row as a whole.
  void add(double value, double bound, Output output, const Place& place);
  void combine(const Deviation& other);

  /// Whether the invariant held for any place to begin with.
  bool looked() const { return looked_; }
  bool ok() const { return severity_ <= 1; }
  double value() const { return value_; }
  double bound() const { return bound_; }
  /// "grad_logits of row 3, column 17"
  std::string place() const;

 private:
  bool looked_ = false;
  double severity_ = 0;  ///< value / bound, an infinity where nothing is allowed
  double value_ = 0, bound_ = 0;
  Output output_ = Output::logprob;
  Place place_;
};

/// Collective: the worst of all ranks.
Deviation worst_deviation(Communicator& world, const Deviation& own);

}  // namespace vparity::harness
