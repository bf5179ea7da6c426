// Points of a product that cannot occur.
#pragma once

#include <string>

#include "harness/plan/matrix/matrix.h"

namespace vparity::harness {

/// Why the parameters contradict each other or what is measured, or why a pattern they name cannot
/// occur; empty if all is well.
std::string impossible_point(const SweepCase& point);

}  // namespace vparity::harness
