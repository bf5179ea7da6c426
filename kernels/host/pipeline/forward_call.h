// What the parts of one forward call share.
#pragma once

#include <cstdint>
#include <vector>

#include "call/row_range.h"
#include "host/simd/row_kernels.h"
#include "row/sums.h"
#include "vparity/communicator.h"
#include "vparity/options.h"
#include "vparity/placement.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

struct ForwardCall {
  Communicator& tp;
  const VocabularySplit& split;
  const Options& options;
  const VocabShard& logits;
  const TokenIds& ids;

  Transform transform() const { return transform_of(options); }
  bool with_smoothing() const { return options.label_smoothing > 0; }
  bool ignored(std::int64_t id) const { return id == options.ignore_index; }
};

/// Merged sums and targets of a chunk's rows; the same bits on every TP rank.
struct FullRows {
  std::vector<FullRowSums> sums;  ///< one per row
  std::vector<float> targets;     ///< f(x_id_k), [rows, K]; 0 for an ignored id

  void reserve(std::int64_t rows, int id_columns) {
    sums.reserve(static_cast<std::size_t>(rows));
    targets.reserve(static_cast<std::size_t>(rows * id_columns));
  }
};

/// f(x) of one logit of a shard, at its local column; -inf if the logit is masked, also under a
/// softcap (semantics 1).
float target_logit(const VocabShard& logits, std::int64_t row, std::int64_t column,
                   const Transform& transform);

/// f(x) at the id in column `k` of `row` if this shard owns the id; else 0, which no rank reads.
float own_target(const ForwardCall& call, std::int64_t row, int k);

}  // namespace vparity
