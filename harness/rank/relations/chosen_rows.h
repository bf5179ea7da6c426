// Some of the operands' rows, dealt to the DP ranks anew.
#pragma once

#include "harness/rank/relations/operands_view.h"

namespace vparity::harness {

class ChosenRows final : public OperandsView {
 public:
  /// Row t is row `rows[t]` of the original; `dp_rows` add up to their number.
  ChosenRows(const Operands& original, std::vector<std::int64_t> rows,
             std::vector<std::int64_t> dp_rows)
      : OperandsView(original), rows_(std::move(rows)), dp_rows_(std::move(dp_rows)) {}

  const std::vector<std::int64_t>& dp_rows() const override { return dp_rows_; }
  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override {
    original().logits(chosen(row), begin, out);
  }
  std::int64_t id(std::int64_t row, int column) const override {
    return original().id(chosen(row), column);
  }
  float grad_logprob(std::int64_t row, int column) const override {
    return original().grad_logprob(chosen(row), column);
  }
  float grad_entropy(std::int64_t row) const override {
    return original().grad_entropy(chosen(row));
  }
  float grad_loss(std::int64_t row) const override { return original().grad_loss(chosen(row)); }

 private:
  std::int64_t chosen(std::int64_t row) const { return rows_[static_cast<std::size_t>(row)]; }

  std::vector<std::int64_t> rows_;
  std::vector<std::int64_t> dp_rows_;
};

/// The first rows of each DP rank, at most `most` of it: small enough to be computed on again and
/// again.
ChosenRows first_rows(const Operands& original, std::int64_t most);

}  // namespace vparity::harness
