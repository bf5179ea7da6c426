// The entries of --known-failures, as they concern a plan.
#pragma once

#include <vector>

#include "harness/run/run_options.h"
#include "reports/model/known_failures.h"

namespace vparity::harness {

/// The file's entries, each with the number of the matrix's cases that it matches; none without the
/// option. Throws UsageError as read_known_failures does.
std::vector<reports::KnownFailure> expected_failures(const RunOptions& options, const Plan& plan);

}  // namespace vparity::harness
