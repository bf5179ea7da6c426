// A problem and its rows in the reference's terms.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/case/operands.h"
#include "harness/provider/provider.h"
#include "reference/row_statistics.h"

namespace vparity::harness {

reference::Parameters reference_parameters(const Options& options);

/// The ids of a global row, [K].
std::vector<std::int64_t> ids_of(const Operands& operands, const Problem& problem,
                                 std::int64_t row);

/// The upstream gradients of a global row; `valid_tokens` of the whole job divides the loss's where
/// the reduction is the mean.
reference::Upstream upstream_of(const Operands& operands, const Problem& problem, std::int64_t row,
                                std::int64_t valid_tokens);

}  // namespace vparity::harness
