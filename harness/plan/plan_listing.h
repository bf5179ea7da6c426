// The text that `vparity plan` prints.
#pragma once

#include <string>

#include "harness/plan/plan.h"

namespace vparity::harness {

/// Cases, groups, dropped and excluded points with reasons, memory; the last line counts.
std::string plan_listing(const Plan& plan);

}  // namespace vparity::harness
