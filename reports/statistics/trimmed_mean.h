// Where the middle of a handful of numbers lies, and how well that is known.
#pragma once

#include <span>

namespace vparity::reports {

/// (mean - true mean) / standard_error has Student's distribution.
struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  double degrees_of_freedom = 0;
};

/// Of at least two finite values, in any order: the mean without the largest and the smallest tenth
/// of them (rounded down: below ten values it is the plain mean), with the standard error by
/// Winsorised deviations: J. W. Tukey, D. H. McLaughlin, "Less vulnerable confidence and
/// significance procedures for location based on a single sample", Sankhya A 25 (1963); R. R.
/// Wilcox, "Introduction to Robust Estimation and Hypothesis Testing", 4.3.
MeanEstimate trimmed_mean(std::span<const double> values);

/// Of at least one, in any order.
double median(std::span<const double> values);

}  // namespace vparity::reports
