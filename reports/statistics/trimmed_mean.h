// A mean that one outlier does not move, and its standard error.
#pragma once

#include <span>

namespace vparity::reports {

/// (mean - true mean) / standard_error has Student's distribution with `degrees_of_freedom`.
struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;
  double degrees_of_freedom = 0;
};

/// The trimmed mean of at least two finite values, in any order. It drops the largest and the
/// smallest tenth of them, rounded down: below ten values it is the plain mean. The standard error
/// comes from the Winsorised deviations: J. W. Tukey, D. H. McLaughlin, "Less vulnerable confidence
/// and significance procedures for location based on a single sample", Sankhya A 25 (1963); R. R.
/// Wilcox, "Introduction to Robust Estimation and Hypothesis Testing", section 4.3.
MeanEstimate trimmed_mean(std::span<const double> values);

}  // namespace vparity::reports
