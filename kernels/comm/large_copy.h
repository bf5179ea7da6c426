// Copies between the memory of ranks that are threads.
#pragma once

#include <cstddef>
#include <span>

namespace vparity {

/// Copies of at least this size are written past the caches, which would not keep them anyway.
inline constexpr std::size_t streamed_copy_bytes = std::size_t{8} << 20;

/// `to` has the size of `from` and does not overlap it. Other threads see the copy on return.
void copy_bytes(std::span<const std::byte> from, std::byte* to);

}  // namespace vparity
