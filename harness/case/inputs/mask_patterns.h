// Which logits are -inf, and what padding columns hold.
#pragma once

#include <cstdint>
#include <span>

#include "harness/case/inputs/input_space.h"

namespace vparity::harness {

inline constexpr std::int64_t top_k_kept = 64;           ///< unmasked columns of `top_k`
inline constexpr std::int64_t first_block_limit = 1024;  ///< most columns that `first_block` masks

/// Sets the masked columns among [begin, begin + logits.size()) of a global row to -inf; all
/// of them are columns of the vocabulary.
void apply_mask(const InputSpace& space, std::int64_t row, std::int64_t begin,
                std::span<float> logits);

/// Fills columns that are no part of the vocabulary. They hold NaN; with mask `padding`, finite
/// logits above those of the row, so that only a kernel that excludes them by index is right.
/// `out` starts at column `begin` >= V.
void fill_padding(const InputSpace& space, std::int64_t row, std::int64_t begin,
                  std::span<float> out);

}  // namespace vparity::harness
