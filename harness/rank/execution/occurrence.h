// What of a problem's special values really occurred.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "reference/row_statistics.h"
#include "vparity/vocabulary_split.h"

namespace vparity::harness {

/// Counts that add up over the ranks: each row is counted by the rank that makes its reference,
/// each column of memory and each element of the gradient by the rank that holds it.
struct Occurrence {
  std::int64_t rows = 0;
  std::int64_t ignored_labels = 0;  ///< rows whose id column 0 is ignored
  std::int64_t ignored_ids = 0;     ///< in all id columns
  std::int64_t duplicate_ids = 0;   ///< ids that equal one of an earlier column of their row
  std::int64_t border_labels = 0;   ///< labels that are a shard's first or last column
  std::int64_t last_labels = 0;     ///< labels V - 1
  std::int64_t masked_logits = 0;   ///< -inf in columns [0, V)
  std::int64_t masked_targets = 0;  ///< labels whose own logit is -inf
  std::int64_t masked_shards = 0;   ///< (row, shard) with columns, all of them -inf
  std::int64_t masked_starts = 0;   ///< (row, shard) whose first column is -inf, but not all
  std::int64_t single_columns = 0;  ///< rows with one valid column out of several
  std::int64_t poisoned_rows = 0;   ///< a NaN or +inf in a valid column
  std::int64_t degenerate_rows = 0;
  std::int64_t finite_padding = 0;  ///< finite values in columns that are no part of the vocabulary
  std::int64_t upstreams = 0;       ///< upstream gradients given
  std::int64_t zero_upstreams = 0;
  std::int64_t non_unit_upstreams = 0;
  std::int64_t dp_ranks_without_rows = 0;
  std::int64_t dp_ranks_ignored = 0;  ///< they have rows, all of them ignored
  std::int64_t gradient_elements = 0;
  std::int64_t gradient_zeros = 0;  ///< expected to be 0 once rounded to the output type

  void add_row(const reference::RowStatistics& row, std::span<const float> logits,
               const VocabularySplit& split, std::int64_t ignore_index);
  void add_upstream(float weight);
  void combine(const Occurrence& other);
};

/// All counts, and the share of zeros in the expected gradient.
nlohmann::ordered_json to_json(const Occurrence& occurrence);

}  // namespace vparity::harness
