// Actual against expected, element by element, by the bounds of semantics 7. Every test is written
// so that NaN fails.
#pragma once

#include <cstdint>
#include <string>

#include "reference/row_statistics.h"
#include "reference/storage_format.h"
#include "reports/model.h"

namespace vparity::harness {

/// Where an element stands, for the report.
struct Place {
  std::int64_t row = 0;
  std::int64_t column = 0;
  int rank = 0;
};

/// Collects the comparison of one output of one case on one rank. Trivially copyable, so that ranks
/// can exchange and combine it.
class OutputComparison {
 public:
  /// `format` is the output's storage type. `rounding` says whether half an ulp of it is granted
  /// beside the bound (the gradient, and values that are stored narrower than they are computed).
  explicit OutputComparison(reference::Format format = reference::Format::fp32,
                            bool rounding = false);

  void add(double actual, const reference::Bounded& expected, const Place& place);
  void combine(const OutputComparison& other);

  bool passed() const;
  std::int64_t elements() const;
  /// Expected elements that are exactly 0 once rounded to the format.
  std::int64_t expected_zeros() const;
  reports::OutputResult result(std::string name, std::int64_t vocab) const;

 private:
  reference::Format format_;
  bool rounding_;
  std::int64_t elements_ = 0;
  std::int64_t mismatches_ = 0;
  std::int64_t nonfinite_ = 0;
  std::int64_t finite_pairs_ = 0;
  std::int64_t expected_zeros_ = 0;
  double max_abs_ = 0, max_rel_ = 0, max_ulp_ = 0, sum_squares_ = 0, margin_ = 0;
  bool has_worst_ = false;
  Place worst_place_;
  double worst_expected_ = 0, worst_actual_ = 0;
};

}  // namespace vparity::harness
