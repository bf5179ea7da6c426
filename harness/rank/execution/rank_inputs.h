// One rank's part of the operands, in memory as a provider gets it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harness/case/operands.h"
#include "harness/provider/provider.h"
#include "harness/rank/execution/guarded_rows.h"
#include "harness/rank/execution/occurrence.h"

namespace vparity::harness {

/// Hashes of what a provider must leave alone.
struct InputHashes {
  std::uint64_t logits = 0;
  std::uint64_t others = 0;  ///< ids and upstream gradients
  bool operator==(const InputHashes&) const = default;
};

class RankInputs {
 public:
  RankInputs(const Operands& operands, const Problem& problem, GradientOf grad_of,
             RowPlacement placement, int dp_rank, const ShardColumns& columns);

  std::int64_t rows() const { return rows_; }
  std::int64_t first_row() const { return first_row_; }  ///< global
  const ShardColumns& columns() const { return columns_; }

  VocabShard logits() const { return {buffer_->rows(), columns_}; }
  TokenIds ids() const;
  UpstreamGradients upstream() const;
  InputHashes hashes() const;

  /// What of these inputs no row's reference sees: padding, and what is alike on all TP ranks,
  /// which `replicated_too` asks for.
  Occurrence occurrence(const Problem& problem, bool replicated_too) const;

  /// The logits' memory, which an in-place gradient shares.
  const std::shared_ptr<GuardedRows>& buffer() const { return buffer_; }

 private:
  void fill_logits(const Operands& operands, DType dtype);
  void fill_others(const Operands& operands);
  std::int64_t count_finite_padding(DType dtype) const;
  std::int64_t count_ignored_labels(std::int64_t ignore_index) const;

  std::int64_t rows_;
  std::int64_t first_row_;
  int id_columns_;
  GradientOf grad_of_;
  ShardColumns columns_;
  std::shared_ptr<GuardedRows> buffer_;
  std::vector<std::int64_t> ids_;    // [T, K]
  std::vector<float> grad_logprob_;  // [T, K], or empty if absent
  std::vector<float> grad_entropy_;  // [T], or empty
  std::vector<float> grad_loss_;     // [T], or empty
};

}  // namespace vparity::harness
