#include "harness/compare/compare.h"

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

/// Finite values from here on are stored as an infinity.
double overflow_threshold(reference::Format format) {
  const double largest = reference::largest_finite(format);
  return largest + reference::half_ulp(format, largest);
}

}  // namespace

static_assert(std::is_trivially_copyable_v<OutputComparison>, "ranks exchange it as bytes");

OutputComparison::OutputComparison(reference::Format format, bool rounding)
    : format_(format), rounding_(rounding) {}

/// Beyond the format's range, half an ulp of its last binade.
double OutputComparison::half_ulp_at(double expected) const {
  const double half_ulp = reference::half_ulp(format_, expected);
  if (std::isfinite(half_ulp)) return half_ulp;
  return reference::half_ulp(format_, reference::largest_finite(format_));
}

double OutputComparison::margin(double actual, const reference::Bounded& expected) const {
  const double value = expected.value;
  if (!std::isfinite(value) || expected.bound == 0) return is_exactly(actual, value) ? 0 : infinity;
  if (std::isnan(actual) || !(expected.bound < infinity)) return infinity;

  // An infinity stands for every value from the overflow threshold on, so the error is the distance
  // to that: an expected value beyond it is met, one within its bound of it may be either.
  const double threshold = overflow_threshold(format_);
  if (std::isinf(actual)) {
    if (std::signbit(actual) != std::signbit(value)) return infinity;
    const double missing = std::max(0.0, threshold - std::abs(value)) / expected.bound;
    return missing <= 1 ? missing : infinity;
  }

  const double error = std::abs(actual - value);
  const double granted = rounding_ ? half_ulp_at(value) : 0;
  const double ratio = std::max(0.0, error - granted) / expected.bound;
  const bool demands_infinity = std::abs(value) >= threshold;
  return demands_infinity && !(ratio <= 1) ? infinity : ratio;
}

void OutputComparison::add(double actual, const reference::Bounded& expected, const Place& place) {
  const double element_margin = margin(actual, expected);
  ++elements_;
  if (!(element_margin <= 1)) ++mismatches_;
  if (!std::isfinite(actual)) ++nonfinite_;
  if (std::isfinite(expected.value)) {
    if (std::abs(expected.value) <= half_ulp_at(0)) ++expected_zeros_;  // a tie rounds to even: 0
    if (std::isfinite(actual)) add_error(std::abs(actual - expected.value), expected.value);
  }
  keep_worst(element_margin, expected.value, actual, place);
}

void OutputComparison::add_error(double error, double expected) {
  ++finite_pairs_;
  max_abs_ = std::max(max_abs_, error);
  if (expected != 0) max_rel_ = std::max(max_rel_, error / std::abs(expected));
  max_ulp_ = std::max(max_ulp_, error / (2 * half_ulp_at(expected)));
  sum_squares_ += error * error;
}

void OutputComparison::keep_worst(double margin, double expected, double actual,
                                  const Place& place) {
  const bool is_first = margin == worst_margin_ && place < worst_place_;
  if (has_worst_ && !(margin > worst_margin_) && !is_first) return;
  has_worst_ = true;
  worst_place_ = place;
  worst_margin_ = margin;
  worst_expected_ = expected;
  worst_actual_ = actual;
}

void OutputComparison::combine(const OutputComparison& other) {
  elements_ += other.elements_;
  mismatches_ += other.mismatches_;
  nonfinite_ += other.nonfinite_;
  finite_pairs_ += other.finite_pairs_;
  expected_zeros_ += other.expected_zeros_;
  max_abs_ = std::max(max_abs_, other.max_abs_);
  max_rel_ = std::max(max_rel_, other.max_rel_);
  max_ulp_ = std::max(max_ulp_, other.max_ulp_);
  sum_squares_ += other.sum_squares_;
  if (other.has_worst_)
    keep_worst(other.worst_margin_, other.worst_expected_, other.worst_actual_, other.worst_place_);
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
  result.margin = worst_margin_;
  result.bound_k = reference::bound_terms(vocab);
  result.bound_c = reference::bound_factor;
  if (has_worst_)
    result.worst = reports::WorstElement{worst_place_.row, worst_place_.column, worst_place_.rank,
                                         worst_expected_, worst_actual_};
  return result;
}

}  // namespace vparity::harness
