// Log-probability, entropy, cross-entropy and their gradient, over logits that stay sharded along
// the vocabulary. Formulas: semantics 2 to 4 (docs/semantics.md).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vparity/communicator.h"
#include "vparity/options.h"
#include "vparity/placement.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

/// The outputs of `forward`: fp32 memory of the caller. Their bits are the same on every TP rank.
/// An absent view is not computed.
struct StatisticsViews {
  Replicated<float> logprob = {};  ///< [T, K], one column per id column
  Replicated<float> entropy = {};  ///< [T]
  Replicated<float> lse = {};      ///< [T]
  Replicated<float> loss = {};     ///< [T], of id column 0
};

/// Sums and means over the rows of all DP ranks, accumulated in fp64; the same bits on every rank
/// of the job.
struct GlobalResults {
  double loss_sum = 0;
  double loss_mean = 0;              ///< loss_sum / max(valid_tokens, 1)
  double entropy_mean = 0;           ///< over valid rows
  std::int64_t valid_tokens = 0;     ///< rows whose id column 0 is not ignored
  std::int64_t degenerate_rows = 0;  ///< rows without a valid column that are not ignored
};

/// What `backward` needs from `forward` besides the logits: four floats per row and one count.
struct SavedStatistics {
  std::vector<float> row_max;  ///< F, the maximum of f(x)
  /// s - 1: the sum of e^z without the largest one, which is 1. NaN if the row's gradient is NaN.
  /// Unlike L = log s in fp32, it keeps the tiny rest of a confident row as well as p = 1 / s of a
  /// flat one.
  std::vector<float> sum_minus_one;
  std::vector<float> entropy;        ///< H
  std::vector<float> valid_columns;  ///< n, exact; only with label smoothing, else empty
  std::int64_t global_valid_tokens = 0;
};

/// dLoss/dOutput per row. An absent view counts as 0. The strides of Replicated allow a broadcast
/// scalar.
struct UpstreamGradients {
  Replicated<const float> logprob = {};  ///< g_k, [T, K]
  Replicated<const float> entropy = {};  ///< g_H, [T]
  /// g_L, [T]; with Reduction::mean it is divided by the global count of valid tokens
  Replicated<const float> loss = {};
};

/// Default size of the logits of one chunk of rows on the rank with the widest shard, where
/// `forward_backward` exponentiates each logit twice.
inline constexpr std::int64_t fused_chunk_bytes = std::int64_t{4} << 20;

/// Default size of the per-rank buffer in which `forward_backward` keeps e^z of one chunk of rows;
/// a chunk has at least one row.
inline constexpr std::int64_t exponentials_bytes = std::int64_t{1} << 20;
/// Largest size of that buffer where the caller sets the rows of a chunk.
inline constexpr std::int64_t max_exponentials_bytes = std::int64_t{4} << 20;

/// The kernels for one process grid, split of the vocabulary and options.
class PolicyStatistics {
 public:
  /// Collective over both groups, which are not owned and outlive the object. `own` is this rank's
  /// shard. If options or shards are invalid, differ between ranks or do not add up to `vocab`,
  /// every rank of the job throws the same ArgumentError.
  PolicyStatistics(ProcessGroups groups, const ShardColumns& own, std::int64_t vocab,
                   const Options& options);

  /// Collective over both groups. Every rank brings its own rows; T may be 0 and may differ between
  /// DP ranks. One read of the logits and one all-gather over `tp` per chunk, then a small
  /// all-gather over `dp`. (Mode `reproducible`: two reads, the second from a cache, and G + 1
  /// all-gathers for G groups of rows.) Fills every element of the views in `out` that are present,
  /// and `saved` if given. Throws LabelError on every rank of the job for an id outside [0, V) that
  /// is not ignored. Throws ArgumentError, before any collective, for views that do not fit each
  /// other.
  GlobalResults forward(const VocabShard& logits, const TokenIds& ids, const StatisticsViews& out,
                        SavedStatistics* saved = nullptr);

  /// Local, no collective. One read of the logits and one write of their gradient. Every element of
  /// `gradient` in [0, width) is written, padding with +0. `gradient` has the logits' type or fp32.
  /// In place: `gradient` is the logits' own memory, with the same data, type and stride. `logits`
  /// and `ids` are those of `forward`.
  void backward(const VocabShard& logits, const TokenIds& ids, const SavedStatistics& saved,
                const UpstreamGradients& upstream, const MutableVocabShard& gradient) const;

  /// `forward`, then `backward`, for upstream gradients that are known beforehand. The logits are
  /// read from memory once and the gradient is written once, by chunks of rows. Options::chunk sets
  /// the rows of a chunk. Errors are those of the two calls, before anything is written. Over `tp`
  /// there are as many all-gathers as in a forward with that chunk; over `dp` a small one before
  /// (for the count of valid tokens) and one after.
  ///
  /// Mode `fast` without softcap, label smoothing and `upstream.entropy` exponentiates each logit
  /// once. It keeps e^z of one chunk (fp32) in a buffer of this object, by default as many rows as
  /// fit into `exponentials_bytes`, at least one. The outputs have the bits of `forward`. The
  /// gradient is within the bounds of `backward` and has the same bits for the same shapes.
  ///
  /// Otherwise, or if that buffer would exceed `max_exponentials_bytes`, all bits are those of the
  /// two calls. The logits of a chunk then stay in a cache, by default `fused_chunk_bytes` of them.
  /// Sizes are those of the rank with the widest shard.
  GlobalResults forward_backward(const VocabShard& logits, const TokenIds& ids,
                                 const UpstreamGradients& upstream, const StatisticsViews& out,
                                 const MutableVocabShard& gradient);

  const VocabularySplit& split() const { return split_; }
  const Options& options() const { return options_; }

 private:
  struct Workspace;

  ProcessGroups groups_;
  Options options_;
  VocabularySplit split_;
  std::shared_ptr<Workspace> workspace_;  ///< memory that is kept from call to call
};

}  // namespace vparity
