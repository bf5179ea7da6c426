// What of a problem's special values really occurred, counted over all ranks.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace vparity::harness {

/// Rows are counted once per data-parallel rank, elements once per shard that holds them.
struct Occurrence {
  std::int64_t rows = 0;
  std::int64_t ignored_labels = 0;   ///< rows whose id column 0 is ignored
  std::int64_t ignored_ids = 0;      ///< of all id columns
  std::int64_t duplicate_ids = 0;    ///< ids equal to one of an earlier column of their row
  std::int64_t border_labels = 0;    ///< labels that are a shard's first or last column
  std::int64_t last_labels = 0;      ///< labels V - 1
  std::int64_t masked_logits = 0;    ///< -inf in columns [0, V)
  std::int64_t masked_targets = 0;   ///< labels whose own logit is -inf
  std::int64_t masked_shards = 0;    ///< (row, shard) with columns, all of them -inf
  std::int64_t single_columns = 0;   ///< rows with exactly one valid column out of several
  std::int64_t poisoned_rows = 0;    ///< a NaN or +inf in a valid column
  std::int64_t degenerate_rows = 0;  ///< no valid column
  std::int64_t padding_columns = 0;  ///< columns in memory that are no part of the vocabulary
  std::int64_t upstreams = 0;        ///< upstream gradients given
  std::int64_t zero_upstreams = 0;
  std::int64_t non_unit_upstreams = 0;
  std::int64_t ignored_dp_ranks = 0;  ///< DP ranks with rows, all of them ignored
  std::int64_t empty_dp_ranks = 0;
  std::int64_t gradient_elements = 0;
  std::int64_t gradient_zeros = 0;  ///< expected to be 0 once rounded to the output type

  void combine(const Occurrence& other);
  bool operator==(const Occurrence&) const = default;
};
static_assert(std::is_trivially_copyable_v<Occurrence>);  // ranks exchange it

/// All counts, and `gradient_zero_share`.
nlohmann::ordered_json to_json(const Occurrence& occurrence);

}  // namespace vparity::harness
