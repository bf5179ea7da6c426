// Upstream gradients.
#pragma once

#include <cstdint>

#include "harness/case/inputs/inputs.h"
#include "harness/case/inputs/philox.h"

namespace vparity::harness {

/// The weight of a global row (and id column) in the stream of one output.
float upstream_weight(const InputSpace& space, philox::Stream stream, std::int64_t row,
                      int column = 0);

}  // namespace vparity::harness
