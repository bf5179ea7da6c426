// The logits pattern `extreme`: the ends of the storage type's range.
#pragma once

#include <cstdint>
#include <span>

#include "harness/case/inputs/inputs.h"

namespace vparity::harness {

/// By row, in turn: the type's largest values of both signs; subnormals and zeros of both signs;
/// magnitudes from the smallest to the largest; nearly all columns at the most negative value.
void extreme(const InputSpace& space, std::int64_t row, std::int64_t begin, std::span<float> out);

}  // namespace vparity::harness
