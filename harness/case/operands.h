// Logits, ids and upstream gradients by global row and column. They are generated
// (harness/case/inputs) or read from a file (harness/rank/eval).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vparity::harness {

class Operands {
 public:
  virtual ~Operands() = default;

  /// Rows of each data-parallel rank, in order.
  virtual const std::vector<std::int64_t>& dp_rows() const = 0;

  /// Stored logits of global columns [begin, begin + out.size()) of a global row, exact as floats.
  /// Columns >= V give what the padding holds. Callable from several threads at once.
  virtual void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const = 0;

  virtual std::int64_t id(std::int64_t row, int column) const = 0;

  /// Upstream gradients; 0 where there is none.
  virtual float grad_logprob(std::int64_t row, int column) const = 0;
  virtual float grad_entropy(std::int64_t row) const = 0;
  virtual float grad_loss(std::int64_t row) const = 0;

  /// Global row of the first row of a data-parallel rank.
  std::int64_t first_row(int dp_rank) const {
    std::int64_t first = 0;
    for (int r = 0; r < dp_rank; ++r) first += dp_rows()[static_cast<std::size_t>(r)];
    return first;
  }

  /// Of all data-parallel ranks together.
  std::int64_t all_rows() const { return first_row(static_cast<int>(dp_rows().size())); }

  /// Rows of all data-parallel ranks whose label is not ignored.
  std::int64_t valid_tokens(std::int64_t ignore_index) const {
    std::int64_t valid = 0;
    for (std::int64_t row = 0; row < all_rows(); ++row) valid += id(row, 0) != ignore_index ? 1 : 0;
    return valid;
  }
};

}  // namespace vparity::harness
