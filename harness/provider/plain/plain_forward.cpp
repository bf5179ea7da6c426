#include <algorithm>
#include <cmath>

#include "harness/provider/plain/plain_kernels.h"

namespace vparity::harness {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All ranks' values: rank-major, `own.size()` of each.
template <class T>
std::vector<T> gather(Communicator& group, const std::vector<T>& own) {
  std::vector<T> all(own.size() * static_cast<std::size_t>(group.size()));
  group.all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)));
  return all;
}

/// Element `i` of every rank, of what `gather` gives for `per_rank` elements each.
template <class T>
std::vector<T> of_every_rank(const std::vector<T>& gathered, std::size_t i, std::size_t per_rank) {
  std::vector<T> values;
  for (; i < gathered.size(); i += per_rank) values.push_back(gathered[i]);
  return values;
}

// std::max drops a NaN on one of its sides.
double max_keeping_nan(double a, double b) { return std::isnan(a) || a > b ? a : b; }

}  // namespace

GlobalResults PlainKernels::forward(const VocabShard& logits, const TokenIds& ids,
                                    const StatisticsViews& out) {
  const BadId bad = first_bad_id(ids, problem_.vocab, problem_.options.ignore_index);
  refuse_bad_ids(all_gather_values(groups_.dp, bad), problem_.vocab);
  const std::int64_t count = logits.rows().rows;
  const auto columns = static_cast<std::size_t>(ids.columns());

  std::vector<PlainSums> own_sums;
  std::vector<PlainTarget> own_targets;
  for (std::int64_t t = 0; t < count; ++t) {
    std::vector<double> f = read_row(logits.rows(), t);
    for (double& x : f) x = transformed(x);
    own_sums.push_back(shard_sums(f));
    for (const std::int64_t id : row_ids(ids, t)) own_targets.push_back(own_target(f, id));
  }
  const auto sums = gather(groups_.tp, own_sums);
  const auto targets = gather(groups_.tp, own_targets);

  rows_.clear();
  for (std::size_t t = 0; t < own_sums.size(); ++t) {
    std::vector<double> row_targets;
    for (std::size_t k = 0; k < columns; ++k) {
      row_targets.push_back(
          select_target(of_every_rank(targets, t * columns + k, own_targets.size())));
    }
    const auto row = static_cast<std::int64_t>(t);
    rows_.push_back(
        whole_row(of_every_rank(sums, t, own_sums.size()), row_ids(ids, row), row_targets));
    write_row(row, rows_.back(), out);
  }
  const GlobalResults results = global_results(all_gather_values(groups_.dp, totals()));
  global_valid_tokens_ = results.valid_tokens;
  return results;
}

double PlainKernels::transformed(double x) const {
  if (x == -infinity) return x;
  if (!(x < infinity)) return std::numeric_limits<double>::quiet_NaN();
  const auto& softcap = problem_.options.softcap;
  return softcap ? *softcap * std::tanh(x / *softcap) : x;
}

double PlainKernels::centred(double f, double max) const {
  return (f - max) / problem_.options.temperature;
}

double PlainKernels::maximum(std::span<const double> f) const {
  double max = -infinity;
  for (const double f_v : f) max = max_keeping_nan(max, f_v);
  return max;
}

PlainSums PlainKernels::shard_sums(std::span<const double> f) const {
  PlainSums sums;
  sums.max = maximum(f);
  if (sums.max == -infinity) return sums;
  for (const double f_v : f) {
    const double z = centred(f_v, sums.max);
    const double e = std::exp(z);
    sums.s += e;
    sums.u += entropy_term(e, z);
    if (f_v == -infinity) continue;
    sums.a += smoothing_term(z);
    sums.n += 1;
  }
  return sums;
}

double PlainKernels::entropy_term(double e, double z) const { return e == 0 ? 0 : e * z; }

double PlainKernels::smoothing_term(double z) const { return z; }

bool PlainKernels::owns(std::int64_t id) const { return own_.begin <= id && id < own_.end; }

PlainTarget PlainKernels::own_target(std::span<const double> f, std::int64_t id) const {
  if (ignored(id) || !owns(id)) return {};
  return {true, f[static_cast<std::size_t>(id - own_.begin)]};
}

PlainSums PlainKernels::recentred(const PlainSums& sums, double max) const {
  const double d = centred(sums.max, max);
  const double c = std::exp(d);
  return {max, c * sums.s, c * (sums.u + d * sums.s), sums.a + sums.n * d, sums.n};
}

PlainSums PlainKernels::merge(std::span<const PlainSums> shards) const {
  PlainSums all = shards.front();
  for (const PlainSums& shard : shards.subspan(1)) all = merge_two(all, shard);
  return all;
}

PlainSums PlainKernels::merge_two(const PlainSums& left, const PlainSums& right) const {
  if (left.max == -infinity) return right;
  if (right.max == -infinity) return left;
  const double max = max_keeping_nan(left.max, right.max);
  const PlainSums a = recentred(left, max), b = recentred(right, max);
  return {max, a.s + b.s, a.u + b.u, a.a + b.a, a.n + b.n};
}

double PlainKernels::select_target(std::span<const PlainTarget> shards) const {
  for (const PlainTarget& target : shards) {
    if (target.owned) return target.logit;
  }
  return 0;  // of an ignored id, which nobody reads
}

PlainRow PlainKernels::whole_row(std::span<const PlainSums> shards,
                                 std::span<const std::int64_t> ids,
                                 std::span<const double> targets) const {
  PlainRow row;
  row.sums = merge(shards);
  row.log_sum = std::log(row.sums.s);
  row.lse = row.sums.max / problem_.options.temperature + row.log_sum;
  row.entropy = entropy(row);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    row.logprob.push_back(ignored(ids[k]) ? 0 : logprob(row, targets[k]));
  }
  row.valid = !ignored(ids.front());
  row.loss = row.valid ? loss(row) : 0;
  return row;
}

double PlainKernels::logprob(const PlainRow& row, double target) const {
  return centred(target, row.sums.max) - row.log_sum;
}

double PlainKernels::entropy(const PlainRow& row) const {
  return row.log_sum - row.sums.u / row.sums.s;
}

double PlainKernels::z_loss(const PlainRow& row) const { return row.lse * row.lse; }

double PlainKernels::loss(const PlainRow& row) const {
  const Options& options = problem_.options;
  const double eps = options.label_smoothing;
  double loss = -(1 - eps) * row.logprob.front();
  if (eps > 0) loss += eps * (row.log_sum - row.sums.a / row.sums.n);
  if (options.z_loss > 0) loss += options.z_loss * z_loss(row);
  return loss;
}

void PlainKernels::write_row(std::int64_t t, const PlainRow& row,
                             const StatisticsViews& out) const {
  if (out.logprob.present()) {
    for (std::size_t k = 0; k < row.logprob.size(); ++k) {
      out.logprob(t, static_cast<std::int64_t>(k)) = static_cast<float>(row.logprob[k]);
    }
  }
  if (out.entropy.present()) out.entropy(t) = static_cast<float>(row.entropy);
  if (out.lse.present()) out.lse(t) = static_cast<float>(row.lse);
  if (out.loss.present()) out.loss(t) = static_cast<float>(row.loss);
}

RankTotals PlainKernels::totals() const {
  RankTotals totals;
  for (const PlainRow& row : rows_) {
    if (!row.valid) continue;
    totals.loss += static_cast<float>(row.loss);  // the sums are those of the outputs
    totals.entropy += static_cast<float>(row.entropy);
    ++totals.valid_tokens;
    if (row.sums.max == -infinity) ++totals.degenerate_rows;
  }
  return totals;
}

GlobalResults PlainKernels::global_results(std::span<const RankTotals> dp_ranks) const {
  return job_results(dp_ranks);
}

std::vector<std::int64_t> PlainKernels::row_ids(const TokenIds& ids, std::int64_t t) const {
  std::vector<std::int64_t> row;
  for (int k = 0; k < ids.columns(); ++k) row.push_back(ids(t, k));
  return row;
}

}  // namespace vparity::harness
