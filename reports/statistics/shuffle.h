// Permutations that are the same everywhere and always.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vparity::reports {

/// The `number`-th random permutation of `given`, by random numbers that depend on their place
/// alone (Philox4x32-10 of Random123: J. K. Salmon and others, SC'11) and the inside-out variant of
/// Fisher and Yates's shuffle. That of one element more is the same with this one put in: what is
/// judged again a night later meets nearly the same chance. No element's probability of a place is
/// off by more than 2^-32.
void shuffle(std::span<const std::uint32_t> given, std::uint32_t number,
             std::vector<std::uint32_t>& shuffled);

}  // namespace vparity::reports
