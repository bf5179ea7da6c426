#include "harness/case/inputs/philox.h"

#include <Random123/boxmuller.hpp>
#include <Random123/uniform.hpp>
#include <algorithm>
#include <array>

namespace vparity::harness::philox {
namespace {

constexpr std::int64_t block_size = 4;

template <class T>
using Block = std::array<T, block_size>;

/// Where a row's blocks of one stream stand in the generator's counter space.
struct Place {
  std::uint64_t seed;
  Stream stream;
  std::int64_t row;

  Words words(std::uint32_t block) const {
    const auto r = static_cast<std::uint64_t>(row);
    const Words counter = {{block, static_cast<std::uint32_t>(r),
                            static_cast<std::uint32_t>(r >> 32),
                            static_cast<std::uint32_t>(stream)}};
    return r123::Philox4x32()(
        counter, {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}});
  }
};

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

/// Columns [begin, begin + out.size()) cut out of whole blocks; `Convert` makes a block's values of
/// its words.
template <auto Convert, class T>
void fill(const Place& place, std::int64_t begin, std::span<T> out) {
  auto block = static_cast<std::uint32_t>(begin / block_size);
  if (const std::int64_t skipped = begin % block_size; skipped != 0 && !out.empty()) {
    const Block<T> values = Convert(place.words(block++));
    const auto taken = std::min(out.size(), static_cast<std::size_t>(block_size - skipped));
    std::copy_n(values.begin() + skipped, taken, out.begin());
    out = out.subspan(taken);
  }
  for (; out.size() >= block_size; out = out.subspan(block_size)) {
    std::ranges::copy(Convert(place.words(block++)), out.begin());
  }
  std::copy_n(Convert(place.words(block)).begin(), out.size(), out.begin());
}

}  // namespace

Words words(std::uint64_t seed, Stream stream, std::int64_t row, std::uint32_t block) {
  return Place{seed, stream, row}.words(block);
}

float normal(std::uint64_t seed, Stream stream, std::int64_t row, std::uint32_t block) {
  return normals(words(seed, stream, row, block))[0];
}

void fill_words(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                std::span<std::uint32_t> out) {
  fill<as_is>(Place{seed, stream, row}, begin, out);
}

void fill_normal(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                 std::span<float> out) {
  fill<normals>(Place{seed, stream, row}, begin, out);
}

void fill_uniform(std::uint64_t seed, Stream stream, std::int64_t row, std::int64_t begin,
                  std::span<float> out) {
  fill<uniforms>(Place{seed, stream, row}, begin, out);
}

}  // namespace vparity::harness::philox
