// How far from their bounds a run's outputs were: a bound that nothing comes near would catch
// nothing.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// One output's worst error ratios, case by case.
struct ErrorRatioDistribution {
  std::string output;
  std::vector<double> error_ratios;  ///< sorted
  std::vector<double> naive;         ///< of a naive kernel, infinities included
};

/// By output, in the order they first occur. Of a case an output counts if something of it was not
/// trivial (OutputResult::nontrivial) and its error ratio is finite.
std::vector<ErrorRatioDistribution> error_ratio_distributions(const std::vector<CaseResult>& cases);

/// The smallest of `sorted` that at least `share` of them do not exceed. `sorted` is not empty.
double quantile(const std::vector<double>& sorted, double share);

/// The distributions as the cells of a table, its head first; empty if there are none.
std::vector<std::vector<std::string>> error_ratio_table(const std::vector<CaseResult>& cases);

}  // namespace vparity::reports
