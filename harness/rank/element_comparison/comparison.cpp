#include "harness/rank/element_comparison/comparison.h"

#include <algorithm>

#include "harness/case/storage.h"
#include "harness/rank/element_comparison/reference_terms.h"

namespace vparity::harness {
namespace {

using reference::Bounded;

constexpr std::int64_t block = 4096;  // columns at a time: their numbers stay in the cache

/// Where a rule demands an exact value, naive arithmetic is not what is in question.
void add_naive(OutputComparison& comparison, double value, const Bounded& expected,
               const Place& place) {
  if (expected.bound > 0) comparison.add(value, expected, place);
}

/// One element of both.
struct Pair {
  OutputComparison& right;
  OutputComparison& naive;

  void add(double actual, double naive_value, const Bounded& expected, const Place& place) {
    right.add(actual, expected, place);
    add_naive(naive, naive_value, expected, place);
  }
};

Pair pair_of(Compared& compared, Output output) {
  return {compared.right[output], compared.naive[output]};
}

void compare_row(Compared& compared, const ExpectedRow& expected, const RankOutputs& actual,
                 std::int64_t t, const Place& place) {
  const reference::RowStatistics& right = expected.right;
  const Replicated<const float> logprob = replicated(actual.logprob);
  for (std::size_t k = 0; k < right.logprob.size(); ++k) {
    const auto column = static_cast<std::int64_t>(k);
    pair_of(compared, Output::logprob)
        .add(logprob(t, column), expected.naive.logprob[k], right.logprob[k],
             {place.row, column, place.rank});
  }
  const float entropy = replicated(actual.entropy)(t);
  const float loss = replicated(actual.loss)(t);
  pair_of(compared, Output::entropy).add(entropy, expected.naive.entropy, right.entropy, place);
  pair_of(compared, Output::lse)
      .add(replicated(actual.lse)(t), expected.naive.lse, right.lse, place);
  pair_of(compared, Output::loss).add(loss, expected.naive.loss, right.loss, place);
  add_entropy_range(compared.entropy_range, entropy, right, place);
  if (!right.valid) return;
  compared.row_sums.loss.add(loss);
  compared.row_sums.entropy.add(entropy);
}

void compare_means(Compared& compared, const GlobalResults& actual, const ExpectedSums& expected) {
  const auto& [right, naive] = expected;
  pair_of(compared, Output::loss_mean)
      .add(actual.loss_mean, naive.loss_mean().value, right.loss_mean(), {});
  pair_of(compared, Output::entropy_mean)
      .add(actual.entropy_mean, naive.entropy_mean().value, right.entropy_mean(), {});
}

/// Compares rows of this rank's gradient; padding is expected to be 0 (semantics 3, rule 1).
class GradientComparison {
 public:
  GradientComparison(Pair comparisons, const KernelRun& run)
      : comparisons_(comparisons),
        run_(run),
        format_(format_of(run.task().problem.gradient_dtype)),
        naive_kernel_(format_of(run.task().problem.logits_dtype),
                      reference_parameters(run.task().problem.options)) {}

  /// The sum of the row's elements on this rank.
  GradientSum compare_row(std::int64_t t, const reference::RowGradient& expected,
                          const NaiveRow& naive) {
    const ShardColumns& columns = run_.inputs().columns();
    const std::int64_t row = run_.inputs().first_row() + t;
    GradientSum sum;
    for (std::int64_t first = 0; first < columns.width; first += block) {
      const std::int64_t count = std::min(block, columns.width - first);
      const std::int64_t valid = std::clamp(columns.valid() - first, std::int64_t{0}, count);
      expect(row, columns.begin + first, valid, count, expected, naive);
      read(t, first, count);
      compare_block({row, columns.begin + first, run_.grid().world().rank()}, sum);
    }
    return sum;
  }

 private:
  void expect(std::int64_t row, std::int64_t begin, std::int64_t valid, std::int64_t count,
              const reference::RowGradient& gradient, const NaiveRow& naive) {
    logits_.resize(static_cast<std::size_t>(valid));
    expected_.assign(static_cast<std::size_t>(count), Bounded{0, 0});
    naive_.assign(static_cast<std::size_t>(count), 0);
    // Made again rather than read: an in-place gradient has taken the logits' place.
    run_.task().operands.logits(row, begin, logits_);
    reference::gradient(gradient, begin, logits_, std::span(expected_).first(logits_.size()));
    if (gradient.row.kind != reference::RowKind::finite) return;
    naive_kernel_.backward(naive, gradient, begin, logits_,
                           std::span(naive_).first(logits_.size()));
  }

  void read(std::int64_t t, std::int64_t first, std::int64_t count) {
    values_.resize(static_cast<std::size_t>(count));
    const Rows rows = run_.outputs().gradient->rows();
    decode(rows.dtype, rows.row(t) + first * static_cast<std::int64_t>(size_of(rows.dtype)),
           values_);
  }

  void compare_block(Place place, GradientSum& sum) {
    for (std::size_t i = 0; i < values_.size(); ++i, ++place.column) {
      comparisons_.add(values_[i], naive_[i], expected_[i], place);
      sum.value += values_[i];
      sum.bound += expected_[i].bound + reference::half_ulp(format_, expected_[i].value);
    }
  }

  Pair comparisons_;
  const KernelRun& run_;
  reference::Format format_;
  NaiveKernel naive_kernel_;
  std::vector<float> logits_, values_;
  std::vector<Bounded> expected_;
  std::vector<double> naive_;
};

}  // namespace

Comparisons::Comparisons(DType gradient_dtype) {
  (*this)[Output::grad_logits] = OutputComparison(format_of(gradient_dtype), true);
}

void Comparisons::combine(const Comparisons& other) {
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i].combine(other.all_[i]);
}

Compared compare_outputs(const Expectation& expected, const KernelRun& run) {
  const Operands& operands = run.task().operands;
  const Problem& problem = run.task().problem;
  const ProcessGrid& grid = run.grid();
  const int world_rank = grid.world().rank();
  const reference::Parameters parameters = reference_parameters(problem.options);
  const std::int64_t valid_tokens = expected.sums.right.valid_tokens();

  Compared compared(problem.gradient_dtype);
  GradientComparison gradient(pair_of(compared, Output::grad_logits), run);
  for (std::int64_t t = 0; t < run.inputs().rows(); ++t) {
    const ExpectedRow& row = expected.rows[static_cast<std::size_t>(t)];
    const std::int64_t global_row = run.inputs().first_row() + t;
    if (owner_of_row(t, grid.tp().size()) == grid.tp().rank()) {
      compare_row(compared, row, run.outputs(), t, {global_row, 0, world_rank});
    }
    const reference::RowGradient row_gradient = reference::row_gradient(
        row.right, upstream_of(operands, problem, global_row, valid_tokens), parameters);
    const GradientSum sum = gradient.compare_row(t, row_gradient, row.naive);
    if (gradient_sums_to_zero(row_gradient)) compared.gradient_sums.push_back({global_row, sum});
  }
  if (world_rank == 0) compare_means(compared, run.outputs().global, expected.sums);
  return compared;
}

}  // namespace vparity::harness
