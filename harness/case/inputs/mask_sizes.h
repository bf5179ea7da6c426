// Sizes that the mask patterns and the conditions for them share.
#pragma once

#include <cstdint>

namespace vparity::harness {

inline constexpr std::int64_t top_k_kept = 64;
inline constexpr std::int64_t first_block_limit = 1024;

}  // namespace vparity::harness
