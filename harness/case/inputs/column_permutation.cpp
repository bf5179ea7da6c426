#include "harness/case/inputs/column_permutation.h"

#include <numeric>
#include <utility>

namespace vparity::harness {
namespace {

std::int64_t coprime_from(std::int64_t candidate, std::int64_t vocab) {
  while (std::gcd(candidate, vocab) != 1) candidate = candidate % vocab + 1;
  return candidate;
}

/// The inverse of `a` modulo `modulus` by the extended Euclidean algorithm.
std::int64_t inverse_of(std::int64_t a, std::int64_t modulus) {
  std::int64_t r = modulus, next_r = a, t = 0, next_t = 1;
  while (next_r != 0) {
    const std::int64_t quotient = r / next_r;
    r = std::exchange(next_r, r - quotient * next_r);
    t = std::exchange(next_t, t - quotient * next_t);
  }
  return (t % modulus + modulus) % modulus;
}

}  // namespace

ColumnPermutation::ColumnPermutation(std::int64_t vocab, const philox::Words& random)
    : vocab_(vocab),
      a_(coprime_from(1 + philox::below(vocab, random[0]), vocab) % vocab),
      b_(philox::below(vocab, random[1])),
      inverse_(inverse_of(a_, vocab)) {}

}  // namespace vparity::harness
