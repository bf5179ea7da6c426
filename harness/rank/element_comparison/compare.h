// Actual against expected, element by element, by the bounds of semantics 7. Every test is written
// so that NaN fails.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "reference/row_statistics.h"
#include "reference/storage_format.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// Where an element stands, for the report.
struct Place {
  std::int64_t row = 0;
  std::int64_t column = 0;
  int rank = 0;
  auto operator<=>(const Place&) const = default;
};

/// Collects the comparison of one output of one case on one rank. Trivially copyable, so that ranks
/// can exchange and combine it; what is combined has the same format and rounding.
///
/// An element's error ratio is |error| / bound, where half an ulp of `format` at the expected value
/// is taken off the error first if `rounding`; above 1 the element is a mismatch. The error ratio
/// is infinite where an exact value (bound 0, an infinity, NaN) was missed, and where the actual
/// value is NaN or an infinity that the bound does not reach. An exact +0 is missed by -0.
class OutputComparison {
 public:
  /// `format` is the output's storage type. `rounding` says whether half an ulp of it is granted
  /// beside the bound (the gradient, and values that are stored narrower than they are computed).
  explicit OutputComparison(reference::Format format = reference::Format::fp32,
                            bool rounding = false);

  void add(double actual, const reference::Bounded& expected, const Place& place);
  void combine(const OutputComparison& other);

  /// No mismatch. Without elements too: whether there should have been some is the caller's to say.
  bool passed() const { return mismatches_ == 0; }
  std::int64_t elements() const { return elements_; }
  /// Expected elements that are exactly 0 once rounded to the format.
  std::int64_t expected_zeros() const { return expected_zeros_; }
  /// The largest of all elements' error ratios; 0 without elements.
  double error_ratio() const { return worst_error_ratio_; }
  double max_abs() const { return max_abs_; }
  /// max_abs, max_rel (over expected values other than 0), max_ulp and rms are over the pairs that
  /// are both finite as stored. The worst element has the largest error ratio; among equals it is
  /// the first by row, column and rank. `vocab` gives the bound's k.
  reports::OutputResult result(std::string name, std::int64_t vocab) const;

 private:
  double error_ratio(double actual, const reference::Bounded& expected, double half_ulp) const;
  double error_ratio_at_overflow(double actual, const reference::Bounded& expected) const;
  void add_error(double error, double expected, double half_ulp);
  void keep_worst(double error_ratio, double expected, double actual, const Place& place);

  reference::Format format_;
  bool rounding_;
  std::int64_t elements_ = 0;
  std::int64_t mismatches_ = 0;
  std::int64_t nonfinite_ = 0;
  std::int64_t finite_pairs_ = 0;
  std::int64_t expected_zeros_ = 0;
  std::int64_t nontrivial_ = 0;
  double max_abs_ = 0, max_rel_ = 0, max_ulp_ = 0, sum_squares_ = 0;
  bool has_worst_ = false;
  Place worst_place_;
  double worst_error_ratio_ = 0, worst_expected_ = 0, worst_actual_ = 0;
};

}  // namespace vparity::harness
