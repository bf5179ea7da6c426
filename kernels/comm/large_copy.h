// Copies from one rank's memory to another's.
#pragma once

#include <cstddef>
#include <span>

namespace vparity {

/// From so many bytes on a copy passes the caches, which would not keep it anyway.
inline constexpr std::size_t streamed_copy_bytes = std::size_t{8} << 20;

/// `to` has the size of `from` and does not overlap it. Complete for other threads on return.
void copy_bytes(std::span<const std::byte> from, std::byte* to);

}  // namespace vparity
