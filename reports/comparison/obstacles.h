// Why times of two runs cannot be compared.
#pragma once

#include <optional>
#include <string>

#include "reports/model/model.h"

namespace vparity::reports {

/// Nothing, or what the machines or builds of two runs differ in: by the fingerprint, or, across
/// builds, by all that is in it but build type, compiler and flags.
std::optional<Reason> other_machine(const Report& one, const Report& other, bool across_builds);

/// Fewer times of a process have no median that one of them could not decide.
inline constexpr std::size_t fewest_samples = 3;

/// Nothing, or why the times of `result` say nothing: it or the parity case of its id (null: not
/// there) did not pass, ranks had to share cores, too few or impossible times.
std::optional<Reason> unusable(const CaseResult& result, const CaseResult* parity);

}  // namespace vparity::reports
