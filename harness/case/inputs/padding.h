// What memory columns that are no part of the vocabulary hold.
#pragma once

#include <cstdint>
#include <span>

#include "harness/case/inputs/input_space.h"

namespace vparity::harness {

/// NaN, or with mask `padding` finite logits above those of the row, which only excluding them by
/// index survives. `out` starts at column `begin` >= V.
void fill_padding(const InputSpace& space, std::int64_t row, std::int64_t begin,
                  std::span<float> out);

}  // namespace vparity::harness
