// All outputs of a run, wherever they lie, and what each may be off by.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/rank/element_comparison/output.h"
#include "harness/rank/execution/kernel_run.h"

namespace vparity::harness {

/// The order of a row's elements: K logprobs, entropy, lse, loss, then the V of the gradient.
class RowOrder {
 public:
  explicit RowOrder(int id_columns) : id_columns_(static_cast<std::size_t>(id_columns)) {}

  std::size_t lse() const { return id_columns_ + 1; }
  std::size_t gradient() const { return id_columns_ + 3; }
  Output output(std::size_t i) const {
    if (i < id_columns_) return Output::logprob;
    return i < gradient() ? static_cast<Output>(i - id_columns_ + 1) : Output::grad_logits;
  }
  /// The id column of a logprob, the column of an element of the gradient, else -1.
  std::int64_t column(std::size_t i) const {
    if (i < id_columns_) return static_cast<std::int64_t>(i);
    return i < gradient() ? -1 : static_cast<std::int64_t>(i - gradient());
  }

 private:
  std::size_t id_columns_;
};

/// Of a finished run, which is borrowed; by global row.
class WholeRun {
 public:
  /// Collective over the run's world: every rank gets all values.
  explicit WholeRun(const KernelRun& run);

  const KernelRun& run() const { return run_; }
  std::int64_t rows() const { return std::ssize(values_); }
  const std::vector<float>& values(std::int64_t row) const {
    return values_[static_cast<std::size_t>(row)];
  }
  /// The bounds of the same elements (semantics 7), in the gradient with half an ulp of its type.
  /// An infinity where the right value is beyond the type's range. Local; made once, when asked
  /// for.
  const std::vector<double>& bounds(std::int64_t row);

 private:
  const KernelRun& run_;
  std::vector<std::vector<float>> values_;
  std::vector<std::vector<double>> bounds_;
};

}  // namespace vparity::harness
