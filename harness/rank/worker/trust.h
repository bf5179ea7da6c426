// When a case that passed has proved nothing (semantics 7).
#pragma once

#include <optional>

#include "harness/case/parameters.h"
#include "harness/rank/check/check.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// Why a passed check is not to be trusted: a pattern that the case names did not occur, all of an
/// output is expected to be 0 and the case does not say so, or actual and expected come from the
/// same source. Nothing if it is.
std::optional<reports::Reason> reason_for_distrust(const CaseParameters& parameters,
                                                   const CheckResult& result);

}  // namespace vparity::harness
