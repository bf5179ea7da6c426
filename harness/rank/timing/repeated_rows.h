// Operands of many rows that are made of a few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/rank/relations/chosen_rows.h"
#include "vparity/vocabulary_split.h"

namespace vparity::harness {

/// Each DP rank's first rows over and over: kernels do not get faster by it, making the inputs and
/// their reference does. This rank's part of its rows is made once and kept, as floats.
class RepeatedRows final : public OperandsView {
 public:
  /// About `elements` logits per DP rank are distinct, one row at least. `original` is borrowed.
  RepeatedRows(const Operands& original, std::int64_t vocab, std::int64_t elements, int dp_rank,
               const ShardColumns& own);

  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override;
  std::int64_t id(std::int64_t row, int column) const override {
    return original().id(source(row), column);
  }
  float grad_logprob(std::int64_t row, int column) const override {
    return original().grad_logprob(source(row), column);
  }
  float grad_entropy(std::int64_t row) const override {
    return original().grad_entropy(source(row));
  }
  float grad_loss(std::int64_t row) const override { return original().grad_loss(source(row)); }

 private:
  /// The row whose values this one has.
  std::int64_t source(std::int64_t row) const { return sources_[static_cast<std::size_t>(row)]; }

  std::vector<std::int64_t> sources_;
  std::int64_t first_kept_ = 0;  ///< row
  std::int64_t begin_ = 0;       ///< column
  std::int64_t width_ = 0;
  std::vector<std::vector<float>> kept_;
};

}  // namespace vparity::harness
