// Token ids of every row.
#pragma once

#include <cstdint>

#include "harness/case/inputs/inputs.h"

namespace vparity::harness {

/// Id column `column` of a global row; column 0 is the label. A class that is the ignore_index
/// stands for an ignored row only.
std::int64_t token_id(const InputSpace& space, std::int64_t row, int column);

}  // namespace vparity::harness
