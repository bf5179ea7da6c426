// Which logits are -inf.
#pragma once

#include <cstdint>
#include <span>

#include "harness/case/inputs/input_space.h"

namespace vparity::harness {

/// Sets the masked ones among columns [begin, begin + logits.size()) of a global row to -inf; all
/// of them are columns of the vocabulary.
void apply_mask(const InputSpace& space, std::int64_t row, std::int64_t begin,
                std::span<float> logits);

}  // namespace vparity::harness
