// The vocab-parallel calls a trainer makes: log-probability, entropy, cross-entropy and their
// gradient, over logits that stay sharded along the vocabulary. Formulas: semantics 2 to 4
// (docs/semantics.md).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vparity/communicator.h"
#include "vparity/options.h"
#include "vparity/placement.h"
#include "vparity/vocabulary_split.h"

namespace vparity {

/// Where `forward` writes; owned by the caller, fp32, the same bits on every TP rank. An absent
/// view is not computed.
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

/// What `backward` needs of `forward`, besides the logits: four floats per row and one count.
struct SavedStatistics {
  std::vector<float> row_max;  ///< F, the maximum of f(x)
  /// s - 1, the terms beside the largest, which is 1; NaN if the row's gradient is NaN. Unlike
  /// L = log s in fp32 it keeps a confident row's tiny rest as well as a flat row's p = 1 / s.
  std::vector<float> sum_minus_one;
  std::vector<float> entropy;        ///< H
  std::vector<float> valid_columns;  ///< n, exact; only with label smoothing, else empty
  std::int64_t global_valid_tokens = 0;
};

/// dLoss/dOutput per row; an absent view counts as 0. The strides of Replicated allow a broadcast
/// scalar.
struct UpstreamGradients {
  Replicated<const float> logprob = {};  ///< g_k, [T, K]
  Replicated<const float> entropy = {};  ///< g_H, [T]
  /// g_L, [T]; Reduction::mean divides it by the global count of valid tokens
  Replicated<const float> loss = {};
};

/// What the rows of a chunk of `forward_backward` that is exponentiated twice take on a rank, if
/// the caller does not say how many they are.
inline constexpr std::int64_t fused_chunk_bytes = std::int64_t{4} << 20;

/// What the terms of a chunk of `forward_backward` that is exponentiated once take on a rank: by
/// default, unless it is a single row, and at most, where the caller says how many rows a chunk
/// has.
inline constexpr std::int64_t kept_terms_bytes = std::int64_t{1} << 20;
inline constexpr std::int64_t most_kept_terms_bytes = std::int64_t{4} << 20;

class GatherBuffers;
namespace cpu {
class KeptTerms;
}

/// The kernels, bound to a process grid, a split of the vocabulary and options.
class PolicyStatistics {
 public:
  /// Collective over both groups. Every rank states its options and its shard; if they are invalid,
  /// differ between ranks or do not add up to `vocab`, every rank of the job throws the same
  /// ArgumentError.
  PolicyStatistics(ProcessGroups groups, const ShardColumns& own, std::int64_t vocab,
                   const Options& options);

  /// Collective over both groups, every rank with its own rows (T may be 0 and may differ between
  /// DP ranks). One read of the logits; one all-gather per chunk over `tp` (mode `reproducible`:
  /// two reads, the second from a cache, and one all-gather more than groups of rows), then one
  /// small one over `dp`. Fills every element of `out` that is present, and `saved` if given.
  /// Throws LabelError on every rank of the job for an id outside [0, V) that is not ignored,
  /// ArgumentError for views that do not fit each other (before any collective).
  GlobalResults forward(const VocabShard& logits, const TokenIds& ids, const StatisticsViews& out,
                        SavedStatistics* saved = nullptr);

  /// Local. One read of the logits and one write of the gradient with respect to them; every
  /// element of `gradient` in [0, width) is written, padding with +0. `gradient` has the logits'
  /// type or fp32; it may be the logits' own memory (same data, type and stride), which is the
  /// in-place form. `logits` and `ids` are those of `forward`.
  void backward(const VocabShard& logits, const TokenIds& ids, const SavedStatistics& saved,
                const UpstreamGradients& upstream, const MutableVocabShard& gradient) const;

  /// `forward`, then `backward`, for upstream gradients that are known beforehand: the logits are
  /// read from memory once and the gradient is written once, by chunks of rows. Options::chunk sets
  /// the rows of a chunk. In mode `fast` without softcap, label smoothing and `upstream.entropy`,
  /// each logit is exponentiated once: e^z of a chunk (fp32, in memory that this object keeps)
  /// waits in a cache, by default as many rows as take `kept_terms_bytes`, at least one. The
  /// outputs have the bits of `forward`, the gradient is within the bounds of `backward` and has
  /// the same bits for the same shapes. Otherwise, or if the terms of a chunk would take more than
  /// `most_kept_terms_bytes`, all bits are those of the two calls; the logits of a chunk wait in a
  /// cache, by default `fused_chunk_bytes` of them. Bytes are counted on the rank with the widest
  /// shard. As many all-gathers over `tp` as in a forward with that chunk; over `dp` a small one
  /// before (for the count of valid tokens) and one after. Errors are those of the two calls,
  /// before anything is written.
  GlobalResults forward_backward(const VocabShard& logits, const TokenIds& ids,
                                 const UpstreamGradients& upstream, const StatisticsViews& out,
                                 const MutableVocabShard& gradient);

  const VocabularySplit& split() const { return split_; }
  const Options& options() const { return options_; }

 private:
  ProcessGroups groups_;
  Options options_;
  VocabularySplit split_;
  std::shared_ptr<GatherBuffers> gather_buffers_;  ///< mode gather keeps them from call to call
  std::shared_ptr<cpu::KeptTerms> kept_terms_;     ///< and so does the fused call in mode fast
};

}  // namespace vparity
