#include "reports/statistics/shuffle.h"

#include <Random123/philox.h>

#include <cstddef>

namespace vparity::reports {
namespace {

using Generator = r123::Philox4x32;

constexpr std::uint32_t seed = 20140507;  // any

/// From 0 to `last`.
std::size_t place(std::uint32_t random, std::size_t last) {
  return static_cast<std::size_t>((std::uint64_t{random} * (last + 1)) >> 32U);
}

}  // namespace

void shuffle(std::span<const std::uint32_t> given, std::uint32_t number,
             std::vector<std::uint32_t>& shuffled) {
  shuffled.resize(given.size());
  Generator::ctr_type words{};
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i % words.size() == 0)
      words = Generator{}({static_cast<std::uint32_t>(i), number, 0, 0}, {seed, 0});
    const std::size_t other = place(words[i % words.size()], i);
    shuffled[i] = shuffled[other];
    shuffled[other] = given[i];
  }
}

}  // namespace vparity::reports
