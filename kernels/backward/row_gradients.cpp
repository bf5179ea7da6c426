#include "backward/row_gradients.h"

#include <algorithm>
#include <cmath>

#include "cpu/log_sum.h"

namespace vparity {
namespace {

double at(const Replicated<const float>& view, std::int64_t row, int column = 0) {
  return view.present() ? double{view(row, column)} : 0;
}

/// Whether it takes part in the gradient: a NaN does.
bool counts(double gradient) { return gradient != 0; }

/// The upstream gradients of one row as the rules of semantics 3 see them: those of ignored ids
/// are 0.
struct RowUpstream {
  std::vector<double> logprob;
  double entropy = 0;
  double loss = 0;

  bool all_zero() const {
    return !counts(entropy) && !counts(loss) && std::ranges::none_of(logprob, counts);
  }
};

class GradientBuilder {
 public:
  GradientBuilder(const TokenIds& ids, const SavedStatistics& saved,
                  const UpstreamGradients& upstream, const ShardColumns& own,
                  const Options& options)
      : ids_(ids), saved_(saved), upstream_(upstream), own_(own), options_(options) {
    row_.logprob.resize(static_cast<std::size_t>(ids.columns()));
    result_.rows.reserve(static_cast<std::size_t>(ids.rows()));
    result_.one_hots.reserve(static_cast<std::size_t>(ids.rows() * ids.columns()));
  }

  RowGradients build() {
    for (std::int64_t row = 0; row < ids_.rows(); ++row) add(row);
    return std::move(result_);
  }

 private:
  void add(std::int64_t row) {
    read_upstream(row);
    const cpu::RowGradient gradient = coefficients(row);
    result_.rows.push_back(gradient);
    if (gradient.kind == cpu::RowGradient::Kind::formula) add_one_hots(row);
  }

  bool ignored(std::int64_t row, int k) const { return ids_(row, k) == options_.ignore_index; }

  void read_upstream(std::int64_t row) {
    for (int k = 0; k < ids_.columns(); ++k) {
      row_.logprob[static_cast<std::size_t>(k)] =
          ignored(row, k) ? 0 : at(upstream_.logprob, row, k);
    }
    row_.entropy = at(upstream_.entropy, row);
    row_.loss = ignored(row, 0) ? 0 : at(upstream_.loss, row) / loss_divisor();
  }

  double loss_divisor() const {
    if (options_.reduction == Reduction::sum) return 1;
    return static_cast<double>(std::max<std::int64_t>(saved_.global_valid_tokens, 1));
  }

  cpu::RowGradient coefficients(std::int64_t row) const {
    using Kind = cpu::RowGradient::Kind;
    const auto t = static_cast<std::size_t>(row);
    const float max = saved_.row_max[t];
    const float rest = saved_.sum_minus_one[t];
    if (row_.all_zero()) return {Kind::zero, max, rest, 0, 0, 0};
    if (std::isnan(rest)) return {Kind::nan, max, rest, 0, 0, 0};

    const double log_sum = cpu::log_sum(rest, options_.mode == Mode::reproducible);
    const double lse = double{max} / options_.temperature + log_sum;
    double a = -row_.entropy * saved_.entropy[t] + row_.loss * (1 + 2 * options_.z_loss * lse);
    for (const double g : row_.logprob) a -= g;
    return {Kind::formula, max, rest, a, -row_.entropy, smoothing(t)};
  }

  /// D
  double smoothing(std::size_t row) const {
    if (options_.label_smoothing == 0) return 0;
    return -double{options_.label_smoothing} * row_.loss / saved_.valid_columns[row];
  }

  void add_one_hots(std::int64_t row) {
    const std::size_t first = result_.one_hots.size();
    for (int k = 0; k < ids_.columns(); ++k) {
      add_one_hot(first, row, k, row_.logprob[static_cast<std::size_t>(k)]);
    }
    add_one_hot(first, row, 0, -(1 - double{options_.label_smoothing}) * row_.loss);
  }

  /// Adds to the row's part for the same column, if there is one from `first` on.
  void add_one_hot(std::size_t first, std::int64_t row, int k, double weight) {
    const std::int64_t id = ids_(row, k);
    if (ignored(row, k) || !own_.owns(id)) return;
    const std::int64_t column = id - own_.begin;
    for (std::size_t i = first; i < result_.one_hots.size(); ++i) {
      cpu::OneHot& earlier = result_.one_hots[i];
      if (earlier.column != column) continue;
      earlier.weight += weight;
      return;
    }
    result_.one_hots.push_back({row, column, weight});
  }

  const TokenIds& ids_;
  const SavedStatistics& saved_;
  const UpstreamGradients& upstream_;
  const ShardColumns& own_;
  const Options& options_;
  RowUpstream row_;
  RowGradients result_;
};

}  // namespace

RowGradients row_gradients(const TokenIds& ids, const SavedStatistics& saved,
                           const UpstreamGradients& upstream, const ShardColumns& own,
                           const Options& options) {
  return GradientBuilder(ids, saved, upstream, own, options).build();
}

}  // namespace vparity
