// Points of a product that no case can stand for.
#pragma once

#include <string>

#include "harness/case/parameters.h"

namespace vparity::harness {

/// Why the parameters contradict each other, or why a pattern they name cannot occur; empty if all
/// is well.
std::string impossible_point(const CaseParameters& parameters);

}  // namespace vparity::harness
