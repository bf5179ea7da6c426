#include "harness/inputs/philox.h"

#include <Random123/boxmuller.hpp>
#include <Random123/uniform.hpp>
#include <algorithm>
#include <array>

namespace vparity::harness::philox {
namespace {

constexpr std::int64_t block_size = 4;

template <class T>
using Block = std::array<T, block_size>;

Block<std::uint32_t> as_is(const Words& w) { return {w[0], w[1], w[2], w[3]}; }

Block<float> normals(const Words& w) {
  const r123::float2 a = r123::boxmuller(w[0], w[1]);
  const r123::float2 b = r123::boxmuller(w[2], w[3]);
  return {a.x, a.y, b.x, b.y};
}

Block<float> uniforms(const Words& w) {
  return {r123::uneg11<float>(w[0]), r123::uneg11<float>(w[1]), r123::uneg11<float>(w[2]),
          r123::uneg11<float>(w[3])};
}

/// Whole blocks are made and cut to the columns asked for.
template <class T, class Convert>
void fill(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin, std::span<T> out,
          Convert convert) {
  const std::int64_t end = begin + static_cast<std::int64_t>(out.size());
  for (std::int64_t block = begin / block_size; block * block_size < end; ++block) {
    const Block<T> values = convert(words(seed, stream, row, static_cast<std::uint32_t>(block)));
    const std::int64_t first = std::max(begin, block * block_size);
    const std::int64_t last = std::min(end, (block + 1) * block_size);
    std::copy(values.begin() + (first - block * block_size),
              values.begin() + (last - block * block_size), out.begin() + (first - begin));
  }
}

}  // namespace

Words words(std::uint64_t seed, Stream stream, std::int64_t row, std::uint32_t block) {
  const auto r = static_cast<std::uint64_t>(row);
  const Words counter = {{block, static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(r >> 32),
                          static_cast<std::uint32_t>(stream)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  return r123::Philox4x32()(counter, key);
}

float normal(std::uint64_t seed, Stream stream, std::int64_t row, std::uint32_t block) {
  return normals(words(seed, stream, row, block))[0];
}

void fill_words(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                std::span<std::uint32_t> out) {
  fill(seed, stream, row, begin, out, as_is);
}

void fill_normal(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                 std::span<float> out) {
  fill(seed, stream, row, begin, out, normals);
}

void fill_uniform(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                  std::span<float> out) {
  fill(seed, stream, row, begin, out, uniforms);
}

}  // namespace vparity::harness::philox
