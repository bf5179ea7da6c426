#include "comm/large_copy.h"

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace vparity {
namespace {

#if defined(__SSE2__)  // vectors of 16 bytes copy as fast from memory as wider ones
constexpr std::size_t line = 64;
constexpr std::uintptr_t page = 4096;
constexpr std::uintptr_t distance = 8192;

std::uintptr_t address(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

/// An address without memory is ignored.
void prefetch(std::uintptr_t at) { _mm_prefetch(reinterpret_cast<const char*>(at), _MM_HINT_T0); }

/// Prefetches data, and once per page the address translations of pages further ahead, for which
/// streamed stores would wait.
void prefetch_ahead(const std::byte* from, const std::byte* to) {
  prefetch(address(from) + distance);
  if (address(from) % page < line) prefetch(address(from) + 2 * distance);
  if (address(to) % page < line) prefetch(address(to) + distance);
}

void stream_line(const std::byte* from, std::byte* to) {
  const auto* const read = reinterpret_cast<const __m128i*>(from);
  auto* const write = reinterpret_cast<__m128i*>(to);
  const __m128i w0 = _mm_loadu_si128(read), w1 = _mm_loadu_si128(read + 1);
  const __m128i w2 = _mm_loadu_si128(read + 2), w3 = _mm_loadu_si128(read + 3);
  _mm_stream_si128(write, w0);
  _mm_stream_si128(write + 1, w1);
  _mm_stream_si128(write + 2, w2);
  _mm_stream_si128(write + 3, w3);
}

/// At least a line.
void stream(std::span<const std::byte> from, std::byte* to) {
  const std::size_t head = (line - address(to) % line) % line;
  std::memcpy(to, from.data(), head);
  std::size_t done = head;
  for (; done + line <= from.size(); done += line) {
    prefetch_ahead(from.data() + done, to + done);
    stream_line(from.data() + done, to + done);
  }
  _mm_sfence();
  std::memcpy(to + done, from.data() + done, from.size() - done);
}
#endif

}  // namespace

void copy_bytes(std::span<const std::byte> from, std::byte* to) {
#if defined(__SSE2__)
  if (from.size() >= streamed_copy_bytes) return stream(from, to);
#endif
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

}  // namespace vparity
