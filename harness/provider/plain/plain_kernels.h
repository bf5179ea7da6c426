// Vocab-parallel kernels written to be read: every step of semantics 2 to 4 is a function of a
// few lines, in double precision, one row after the other. They are slow and right. Each
// known bug derives from them and overrides one step (harness/provider/known_bugs).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "harness/provider/job_totals.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

/// F, s, u, a and n of semantics 2, of a shard or of the whole row; at first those of no column.
struct PlainSums {
  double max = -std::numeric_limits<double>::infinity();
  double s = 0, u = 0, a = 0;
  double n = 0;
};

/// f(x_id), where this shard owns it.
struct PlainTarget {
  bool owned = false;
  double logit = 0;
};

/// A row as all shards together make it, and its results.
struct PlainRow {
  PlainSums sums;
  double log_sum = 0;  ///< L
  double entropy = 0;
  double lse = 0;
  double loss = 0;
  std::vector<double> logprob;  ///< [K]
  bool valid = false;           ///< its label is not ignored
};

/// The upstream gradients of a row; those of ignored ids are 0.
struct PlainUpstream {
  std::vector<double> logprob;  ///< [K]
  double entropy = 0, loss = 0;
  bool all_zero() const;
};

class PlainKernels : public KernelSession {
 public:
  PlainKernels(const Problem& problem, ProcessGroups groups, const ShardColumns& own)
      : problem_(problem), groups_(groups), own_(own) {}

  GlobalResults forward(const VocabShard& logits, const TokenIds& ids,
                        const StatisticsViews& out) override;
  void backward(const VocabShard& logits, const TokenIds& ids, const UpstreamGradients& upstream,
                const MutableVocabShard& gradient) override;

 protected:
  // One shard of a row: `f` are its valid columns after the softcap, -inf where masked.
  virtual double maximum(std::span<const double> f) const;
  virtual PlainSums shard_sums(std::span<const double> f) const;
  virtual double entropy_term(double e, double z) const;  ///< e^z z
  virtual double smoothing_term(double z) const;
  virtual bool owns(std::int64_t id) const;
  virtual PlainTarget own_target(std::span<const double> f, std::int64_t id) const;

  // The shards together, in rank order.
  virtual PlainSums merge(std::span<const PlainSums> shards) const;
  virtual PlainSums merge_two(const PlainSums& left, const PlainSums& right) const;
  virtual double select_target(std::span<const PlainTarget> shards) const;

  // The row's results.
  virtual double logprob(const PlainRow& row, double target) const;
  virtual double entropy(const PlainRow& row) const;
  virtual double z_loss(const PlainRow& row) const;
  virtual void write_row(std::int64_t t, const PlainRow& row, const StatisticsViews& out) const;
  virtual GlobalResults global_results(std::span<const RankTotals> dp_ranks) const;

  // The gradient.
  virtual double upstream(const Replicated<const float>& view, std::int64_t t, int k) const;
  virtual double loss_divisor() const;
  /// With respect to this shard's valid columns, whose logits are `x`.
  virtual std::vector<double> row_gradient(const PlainRow& row, std::span<const std::int64_t> ids,
                                           const PlainUpstream& g, std::span<const double> x) const;
  /// Of a row that has an upstream gradient: rules 3 to 5 of semantics 3.
  std::vector<double> used_row_gradient(const PlainRow& row, std::span<const std::int64_t> ids,
                                        const PlainUpstream& g, std::span<const double> x) const;
  virtual double probability(double log_p) const;

  // Memory.
  virtual std::int64_t row_offset(std::int64_t t, std::int64_t row_stride, DType dtype) const;
  std::vector<double> read_row(const Rows& rows, std::int64_t t) const;
  void write_elements(const MutableRows& rows, std::int64_t t,
                      std::span<const double> values) const;

  // What the steps are made of.
  double transformed(double x) const;
  double slope(double x) const;                ///< f'(x)
  double centred(double f, double max) const;  ///< z
  PlainSums recentred(const PlainSums& sums, double max) const;
  bool ignored(std::int64_t id) const { return id == problem_.options.ignore_index; }
  std::vector<std::int64_t> row_ids(const TokenIds& ids, std::int64_t t) const;

  const Problem& problem() const { return problem_; }
  const ProcessGroups& groups() const { return groups_; }
  const ShardColumns& own() const { return own_; }
  const std::vector<PlainRow>& rows() const { return rows_; }  ///< of the last forward

 private:
  PlainRow whole_row(std::span<const PlainSums> shards, std::span<const std::int64_t> ids,
                     std::span<const double> targets) const;
  double loss(const PlainRow& row) const;
  RankTotals totals() const;
  PlainUpstream row_upstream(const UpstreamGradients& upstream, std::span<const std::int64_t> ids,
                             std::int64_t t) const;
  double one_hot(std::span<const std::int64_t> ids, const PlainUpstream& g, std::int64_t v) const;

  Problem problem_;
  ProcessGroups groups_;
  ShardColumns own_;
  std::vector<PlainRow> rows_;
  std::int64_t global_valid_tokens_ = 0;
};

}  // namespace vparity::harness
