// How fast the kernel sets of a run are beside each other.
#pragma once

#include <string>
#include <vector>

#include "reports/model.h"

namespace vparity::reports {

/// The variant that the others are held against, where it is there: our kernels in their own mode.
inline constexpr std::string_view base_variant = "fast";

/// One line per setting and operation that has the base variant: its median time with the half
/// width of its interval, its rate and its share of the floor; then for each other variant how many
/// times as long it takes, how many times as long by its bytes, and its share of the floor of its
/// own bytes. The first line is the head; nothing was measured: none.
std::vector<std::vector<std::string>> throughput_table(const std::vector<CaseResult>& cases);

}  // namespace vparity::reports
