// Values of the logits before masking.
#pragma once

#include <cstdint>
#include <span>

#include "harness/case/inputs/inputs.h"

namespace vparity::harness {

/// Writes columns [begin, begin + out.size()) of a global row, all of them columns of the
/// vocabulary; not yet rounded to the storage type.
void fill_logits(const InputSpace& space, std::int64_t row, std::int64_t begin,
                 std::span<float> out);

/// Puts the row's NaN or +inf of the pattern `nonfinite`, if these columns hold it; after masking,
/// so that no mask hides it.
void put_nonfinite(const InputSpace& space, std::int64_t row, std::int64_t begin,
                   std::span<float> out);

}  // namespace vparity::harness
