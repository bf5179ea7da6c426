// Reasons why times cannot be compared.
#pragma once

#include <optional>
#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// The first difference between the machines or builds of two runs, or nothing if their
/// fingerprints are equal. With `across_builds`, build type, compiler and flags may differ.
std::optional<Reason> other_machine(const Report& one, const Report& other, bool across_builds);

/// With fewer samples of a process a single one decides their median.
inline constexpr std::size_t fewest_samples = 3;

/// Why the times of `result` cannot be used, or nothing: the case or the parity case of the same id
/// (null if there is none) did not pass, ranks shared cores, or there are too few or impossible
/// times.
std::optional<Reason> unusable(const CaseResult& result, const CaseResult* parity);

}  // namespace vparity::reports
