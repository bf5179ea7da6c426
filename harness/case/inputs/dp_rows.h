// How rows are spread over the data-parallel ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/case/parameters.h"

namespace vparity::harness {

/// Rows of each DP rank, in order; they sum to parameters.tokens.
std::vector<std::int64_t> deal_rows(const CaseParameters& parameters);

}  // namespace vparity::harness
