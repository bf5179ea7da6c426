// Cases that are timed against each other.
#pragma once

#include <string>

#include "harness/case/parameters.h"

namespace vparity::harness {

/// `parameters` without what providers and calls of one setting may differ in: provider, mode,
/// chunk and operation. Two cases of which the same is left belong together.
CaseParameters setting_of(CaseParameters parameters);

/// What a provider is called beside others: the mode of ours, the name of another.
std::string variant_of(const CaseParameters& parameters);

}  // namespace vparity::harness
