// Cases that are timed against each other.
#pragma once

#include <string>

#include "harness/case/parameters.h"

namespace vparity::harness {

/// `parameters` with provider, mode, batch_invariant, chunk and operation at their defaults. Cases
/// with equal settings are timed against each other.
CaseParameters setting_of(CaseParameters parameters);

/// The name of a timed provider: the mode for the provider `vparity`, else the provider's name.
std::string variant_of(const CaseParameters& parameters);

}  // namespace vparity::harness
