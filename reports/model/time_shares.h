// Where the time of a run went.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// Seconds of all parity cases together, by what was done: launch, inputs, kernels, reference,
/// compare, relations, other. What took no time is left out; empty if nothing is known.
std::vector<std::pair<std::string, double>> time_by_work(const Report& report);

/// "time: reference 43 %, compare 21 %, ... of 31.4 s"; empty if nothing is known.
std::string time_shares(const Report& report);

}  // namespace vparity::reports
