// The throughput of a run as a table: one line for each setting, one column for each provider.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// All other variants are compared with this one: our kernels in mode `fast`. If a setting does not
/// have it, its first variant takes its place.
inline constexpr std::string_view base_variant = "fast";

/// The first line is the head. Each further line is one setting and operation. It shows the base
/// variant's median time with half the width of its interval, its rate and its share of the floor.
/// Each other variant shows three numbers: its time relative to the base variant, the ratio that
/// its byte count predicts, and the share of memory bandwidth it reaches. Empty if nothing was
/// timed.
std::vector<std::vector<std::string>> throughput_table(const std::vector<CaseResult>& cases);

}  // namespace vparity::reports
