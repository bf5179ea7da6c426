// Operands seen in another way; what a view does not change it passes on.
#pragma once

#include <algorithm>

#include "harness/case/operands.h"

namespace vparity::harness {

/// The part of `out`, whose first column is `begin`, that is no padding.
inline std::span<float> columns_below(std::int64_t vocab, std::int64_t begin,
                                      std::span<float> out) {
  const auto count = static_cast<std::int64_t>(out.size());
  return out.first(static_cast<std::size_t>(std::clamp(vocab - begin, std::int64_t{0}, count)));
}

/// All V columns of a row.
inline std::vector<float> whole_row(const Operands& operands, std::int64_t row,
                                    std::int64_t vocab) {
  std::vector<float> logits(static_cast<std::size_t>(vocab));
  operands.logits(row, 0, logits);
  return logits;
}

/// `original` is borrowed.
class OperandsView : public Operands {
 public:
  explicit OperandsView(const Operands& original) : original_(original) {}

  const std::vector<std::int64_t>& dp_rows() const override { return original_.dp_rows(); }
  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override {
    original_.logits(row, begin, out);
  }
  std::int64_t id(std::int64_t row, int column) const override { return original_.id(row, column); }
  float grad_logprob(std::int64_t row, int column) const override {
    return original_.grad_logprob(row, column);
  }
  float grad_entropy(std::int64_t row) const override { return original_.grad_entropy(row); }
  float grad_loss(std::int64_t row) const override { return original_.grad_loss(row); }

 protected:
  const Operands& original() const { return original_; }

 private:
  const Operands& original_;
};

}  // namespace vparity::harness
