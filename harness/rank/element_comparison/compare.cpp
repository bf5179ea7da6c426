#include "harness/rank/element_comparison/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace vparity::harness {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The same value, the sign of a zero included; any NaN is NaN.
bool is_exactly(double actual, double expected) {
  if (std::isnan(expected)) return std::isnan(actual);
  return actual == expected && std::signbit(actual) == std::signbit(expected);
}

}  // namespace

static_assert(std::is_trivially_copyable_v<OutputComparison>, "ranks exchange it as bytes");

OutputComparison::OutputComparison(reference::Format format, bool rounding)
    : format_(format), rounding_(rounding) {}

/// `half_ulp`: of the format at the expected value, an infinity beyond its range.
double OutputComparison::error_ratio(double actual, const reference::Bounded& expected,
                                     double half_ulp) const {
  if (!std::isfinite(expected.value) || expected.bound == 0)
    return is_exactly(actual, expected.value) ? 0 : infinity;
  if (std::isnan(actual) || !std::isfinite(expected.bound)) return infinity;
  if (std::isinf(actual) || std::isinf(half_ulp)) return error_ratio_at_overflow(actual, expected);
  const double error = std::abs(actual - expected.value);
  return std::max(0.0, error - (rounding_ ? half_ulp : 0)) / expected.bound;
}

/// An infinity stands for all values from the overflow threshold on, so its error is the distance
/// of the expected value from there: an expected value beyond the threshold is met, and one within
/// its bound of it may be either.
double OutputComparison::error_ratio_at_overflow(double actual,
                                                 const reference::Bounded& expected) const {
  const double largest = reference::largest_finite(format_);
  const double half_ulp = reference::half_ulp(format_, largest);
  const double magnitude = std::abs(expected.value);
  if (std::signbit(actual) != std::signbit(expected.value)) return infinity;

  const double error = std::isinf(actual)
                           ? largest + half_ulp - magnitude
                           : magnitude - std::abs(actual) - (rounding_ ? half_ulp : 0);
  const double error_ratio = std::max(0.0, error) / expected.bound;
  return error_ratio <= 1 ? error_ratio : infinity;  // NOLINT(bugprone-narrowing-conversions)
}

void OutputComparison::add(double actual, const reference::Bounded& expected, const Place& place) {
  const double half_ulp = reference::half_ulp(format_, expected.value);
  const double element_error_ratio = error_ratio(actual, expected, half_ulp);
  ++elements_;
  if (!(element_error_ratio <= 1)) ++mismatches_;
  if (!std::isfinite(actual)) ++nonfinite_;
  if (std::isfinite(half_ulp)) {  // the expected value is finite as stored
    const bool zero = std::abs(expected.value) <= half_ulp;  // a tie goes to even: 0
    if (zero) ++expected_zeros_;
    if (!zero && expected.bound > 0) ++nontrivial_;
    if (std::isfinite(actual))
      add_error(std::abs(actual - expected.value), expected.value, half_ulp);
  }
  keep_worst(element_error_ratio, expected.value, actual, place);
}

void OutputComparison::add_error(double error, double expected, double half_ulp) {
  ++finite_pairs_;
  max_abs_ = std::max(max_abs_, error);
  if (expected != 0) max_rel_ = std::max(max_rel_, error / std::abs(expected));
  max_ulp_ = std::max(max_ulp_, error / (2 * half_ulp));
  sum_squares_ += error * error;
}

void OutputComparison::keep_worst(double error_ratio, double expected, double actual,
                                  const Place& place) {
  const bool is_first = error_ratio == worst_error_ratio_ && place < worst_place_;
  if (has_worst_ && !(error_ratio > worst_error_ratio_) && !is_first) return;
  has_worst_ = true;
  worst_place_ = place;
  worst_error_ratio_ = error_ratio;
  worst_expected_ = expected;
  worst_actual_ = actual;
}

void OutputComparison::combine(const OutputComparison& other) {
  elements_ += other.elements_;
  mismatches_ += other.mismatches_;
  nonfinite_ += other.nonfinite_;
  finite_pairs_ += other.finite_pairs_;
  expected_zeros_ += other.expected_zeros_;
  nontrivial_ += other.nontrivial_;
  max_abs_ = std::max(max_abs_, other.max_abs_);
  max_rel_ = std::max(max_rel_, other.max_rel_);
  max_ulp_ = std::max(max_ulp_, other.max_ulp_);
  sum_squares_ += other.sum_squares_;
  if (other.has_worst_)
    keep_worst(other.worst_error_ratio_, other.worst_expected_, other.worst_actual_,
               other.worst_place_);
}

reports::OutputResult OutputComparison::result(std::string name, std::int64_t vocab) const {
  reports::OutputResult result;
  result.name = std::move(name);
  result.elements = elements_;
  result.checked = elements_;
  result.mismatches = mismatches_;
  result.nonfinite = nonfinite_;
  result.max_abs = max_abs_;
  result.max_rel = max_rel_;
  result.max_ulp = max_ulp_;
  result.rms =
      finite_pairs_ == 0 ? 0 : std::sqrt(sum_squares_ / static_cast<double>(finite_pairs_));
  result.error_ratio = worst_error_ratio_;
  result.nontrivial = nontrivial_;
  result.bound_k = reference::bound_terms(vocab);
  result.bound_c = reference::bound_factor;
  if (has_worst_)
    result.worst = reports::WorstElement{worst_place_.row, worst_place_.column, worst_place_.rank,
                                         worst_expected_, worst_actual_};
  return result;
}

}  // namespace vparity::harness
