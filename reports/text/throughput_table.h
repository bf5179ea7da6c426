// How fast the providers of a run are beside each other.
#pragma once

#include <string>
#include <vector>

#include "reports/model/model.h"

namespace vparity::reports {

/// What the others are held against: our kernels in their own mode. Where they are not there, the
/// first provider of the setting.
inline constexpr std::string_view base_variant = "fast";

/// One line per setting and operation: of the base variant its median time with the half width of
/// its interval, its rate and its share of the floor; then for each other variant how many times as
/// long it takes, how many times as long by its bytes, and its share of the floor of its own bytes.
/// The first line is the head; nothing was measured: none.
std::vector<std::vector<std::string>> throughput_table(const std::vector<CaseResult>& cases);

}  // namespace vparity::reports
