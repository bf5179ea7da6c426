// Bugs in how the ranks' parts are put together: shards of the vocabulary, data-parallel groups.
#pragma once

#include <algorithm>
#include <cmath>

#include "harness/provider/known_bugs/known_bug.h"
#include "harness/provider/plain/plain_kernels.h"

namespace vparity::harness::bugs {

struct LocalSmoothing : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-local-smoothing", "label smoothing with the shard's own column count and mean",
      "NVIDIA/Megatron-LM#737, NVIDIA/Megatron-LM#7452, NVIDIA/apex#1457",
      "*,label_smoothing=0.1,*,mode=fast,*,tp=[24],*"};
  using PlainKernels::PlainKernels;
  PlainSums merge(std::span<const PlainSums> shards) const override {
    PlainSums all = PlainKernels::merge(shards);
    const auto own = shards[static_cast<std::size_t>(groups().tp.rank())];
    all.a = recentred(own, all.max).a;
    all.n = own.n;
    return all;
  }
};

struct UnguardedMerge : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-unguarded-merge", "e^(-inf - (-inf)) when the shards so far are wholly masked",
      "Dao-AILab/flash-attention#1930; TransformerEngine", "*,mask=one_shard,mode=fast,*"};
  using PlainKernels::PlainKernels;
  PlainSums merge_two(const PlainSums& left, const PlainSums& right) const override {
    const double max = std::max(left.max, right.max);
    const PlainSums a = recentred(left, max), b = recentred(right, max);
    return {max, a.s + b.s, a.u + b.u, a.a + b.a, a.n + b.n};
  }
};

struct OwnerMaskProduct : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-owner-mask-product",
      "every shard reads a column for the target and multiplies it with its owner mask", "NeMo-RL",
      "*,mask=all_but_one,mode=fast,*,tp=[24],*"};
  using PlainKernels::PlainKernels;
  PlainTarget own_target(std::span<const double> f, std::int64_t id) const override {
    if (ignored(id) || f.empty()) return {};
    const std::int64_t column = owns(id) ? id - own().begin : 0;
    return {owns(id), f[static_cast<std::size_t>(column)]};
  }
  double select_target(std::span<const PlainTarget> shards) const override {
    double sum = 0;
    for (const PlainTarget& target : shards) sum += target.logit * (target.owned ? 1 : 0);
    return sum;
  }
};

struct InfinitySentinel : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-infinity-sentinel",
      "-inf stands for \"not my shard\", so that a masked target belongs to no shard",
      "TransformerEngine; ROCm/aiter", "*,mask=target,mode=fast,*,tp=[24],*"};
  using PlainKernels::PlainKernels;
  double select_target(std::span<const PlainTarget> shards) const override {
    constexpr double not_mine = -std::numeric_limits<double>::infinity();
    for (const PlainTarget& target : shards) {
      const double sent = target.owned ? target.logit : not_mine;
      if (sent != not_mine) return sent;
    }
    return 0;  // as of an ignored id
  }
};

struct OwnerOnlyGradient : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-owner-only-gradient", "no gradient on shards that do not own the label",
      "modelscope/ms-swift#9947", "*,labels=uniform,*,tp=2,*,vocab=257,*"};
  using PlainKernels::PlainKernels;
  std::vector<double> row_gradient(const PlainRow& row, std::span<const std::int64_t> ids,
                                   const PlainUpstream& g,
                                   std::span<const double> x) const override {
    if (!owns(ids.front())) return std::vector<double>(x.size(), 0);
    return PlainKernels::row_gradient(row, ids, g, x);
  }
};

struct GradientTimesTp : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-gradient-times-tp",
      "an all-gather whose backward sums: the gradient is too large by the factor TP",
      "pytorch/torchtitan#3822", "*,labels=uniform,*,tp=2,*,vocab=257,*"};
  using PlainKernels::PlainKernels;
  std::vector<double> row_gradient(const PlainRow& row, std::span<const std::int64_t> ids,
                                   const PlainUpstream& g,
                                   std::span<const double> x) const override {
    auto gradient = PlainKernels::row_gradient(row, ids, g, x);
    for (double& element : gradient) element *= groups().tp.size();
    return gradient;
  }
};

struct NoMaximumExchange : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-no-maximum-exchange",
      "sums about each shard's own maximum are added as if it were the row's", "",
      "*,logits=ascending,*,mode=fast,*,tp=2,*"};
  using PlainKernels::PlainKernels;
  PlainSums merge(std::span<const PlainSums> shards) const override {
    PlainSums all;
    all.max = shards[static_cast<std::size_t>(groups().tp.rank())].max;
    for (const PlainSums& shard : shards) {
      all.s += shard.s;
      all.u += shard.u;
      all.a += shard.a;
      all.n += shard.n;
    }
    return all;
  }
};

struct ShardEdge : PlainKernels {
  static constexpr KnownBug known{"known-bug-shard-edge",
                                  "a shard's range ends one column early: nobody owns its last id",
                                  "", "*,labels=shard_edges,*,mode=fast,*,tp=[24],*"};
  using PlainKernels::PlainKernels;
  bool owns(std::int64_t id) const override { return own().begin <= id && id < own().end - 1; }
};

struct MeanOfMeans : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-mean-of-means", "the mean over data-parallel ranks is a mean of their means",
      "NVIDIA/Megatron-LM#7452, pytorch/torchtitan#2206", "*,dp_rows=uneven,*,vocab=131,*"};
  using PlainKernels::PlainKernels;
  GlobalResults global_results(std::span<const RankTotals> dp_ranks) const override {
    GlobalResults results = PlainKernels::global_results(dp_ranks);
    results.loss_mean = results.entropy_mean = 0;
    for (const RankTotals& rank : dp_ranks) {
      const GlobalResults of_rank = PlainKernels::global_results({&rank, 1});
      results.loss_mean += of_rank.loss_mean / static_cast<double>(dp_ranks.size());
      results.entropy_mean += of_rank.entropy_mean / static_cast<double>(dp_ranks.size());
    }
    return results;
  }
};

struct LocalTokenCount : PlainKernels {
  static constexpr KnownBug known{
      "known-bug-local-token-count",
      "the gradient of the mean loss is divided by the rank's own count of valid tokens",
      "NVIDIA/Megatron-LM#7452, pytorch/torchtitan#2206",
      "*,dp_rows=uneven,*,reduction=mean,*,vocab=131,*"};
  using PlainKernels::PlainKernels;
  double loss_divisor() const override {
    if (problem().options.reduction == Reduction::sum) return 1;
    const auto valid = std::ranges::count_if(rows(), &PlainRow::valid);
    return static_cast<double>(std::max<std::ptrdiff_t>(valid, 1));
  }
};

}  // namespace vparity::harness::bugs
