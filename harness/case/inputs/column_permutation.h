// A random order of the columns that can be followed in both directions without storing it.
#pragma once

#include <cstdint>

#include "harness/case/inputs/philox.h"

namespace vparity::harness {

/// rank(column) = (a column + b) mod V with gcd(a, V) = 1.
class ColumnPermutation {
 public:
  ColumnPermutation(std::int64_t vocab, const philox::Words& random);

  std::int64_t rank(std::int64_t column) const { return (a_ * column + b_) % vocab_; }
  std::int64_t column(std::int64_t rank) const {
    return inverse_ * ((rank - b_ + vocab_) % vocab_) % vocab_;
  }
  /// The rank of the next column, without a division.
  std::int64_t next(std::int64_t rank) const {
    return rank + a_ < vocab_ ? rank + a_ : rank + a_ - vocab_;
  }

 private:
  std::int64_t vocab_, a_, b_, inverse_;
};

}  // namespace vparity::harness
