#include "harness/check/comparison.h"

#include <algorithm>
#include <vector>

#include "harness/operands/storage.h"

namespace vparity::harness {
namespace {

using reference::Bounded;

constexpr std::int64_t block = 4096;  // columns at a time: their numbers stay in the cache

void compare_row(Comparisons& comparisons, const reference::RowStatistics& expected,
                 const RankOutputs& actual, std::int64_t t, Place place) {
  const Replicated<const float> logprob = replicated(actual.logprob);
  for (std::size_t k = 0; k < expected.logprob.size(); ++k) {
    const auto column = static_cast<std::int64_t>(k);
    comparisons[Output::logprob].add(logprob(t, column), expected.logprob[k],
                                     {place.row, column, place.rank});
  }
  comparisons[Output::entropy].add(replicated(actual.entropy)(t), expected.entropy, place);
  comparisons[Output::lse].add(replicated(actual.lse)(t), expected.lse, place);
  comparisons[Output::loss].add(replicated(actual.loss)(t), expected.loss, place);
}

reference::Upstream upstream_of(const Operands& operands, const Problem& problem, std::int64_t row,
                                std::int64_t global_valid_tokens) {
  reference::Upstream upstream;
  for (int k = 0; k < problem.id_columns; ++k) {
    upstream.logprob.push_back(operands.grad_logprob(row, k));
  }
  upstream.entropy = operands.grad_entropy(row);
  upstream.loss = operands.grad_loss(row);
  if (problem.options.reduction == Reduction::mean) {
    upstream.loss /= static_cast<double>(std::max<std::int64_t>(global_valid_tokens, 1));
  }
  return upstream;
}

/// Compares rows of this rank's gradient; padding is expected to be 0 (semantics 3, rule 1).
class GradientComparison {
 public:
  GradientComparison(OutputComparison& comparison, const Operands& operands, const Problem& problem,
                     const RankInputs& inputs, const RankOutputs& actual, int world_rank)
      : comparison_(comparison),
        operands_(operands),
        problem_(problem),
        inputs_(inputs),
        actual_(actual.gradient->rows()),
        world_rank_(world_rank) {}

  void compare_row(std::int64_t t, const reference::RowGradient& expected) {
    const ShardColumns& columns = inputs_.columns();
    for (std::int64_t first = 0; first < columns.width; first += block) {
      const std::int64_t count = std::min(block, columns.width - first);
      const std::int64_t valid = std::clamp(columns.valid() - first, std::int64_t{0}, count);
      expect(inputs_.first_row() + t, columns.begin + first, valid, count, expected);
      read(t, first, count);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        comparison_.add(values_[at], expected_[at],
                        {inputs_.first_row() + t, columns.begin + first + i, world_rank_});
      }
    }
  }

 private:
  void expect(std::int64_t row, std::int64_t begin, std::int64_t valid, std::int64_t count,
              const reference::RowGradient& gradient) {
    logits_.resize(static_cast<std::size_t>(valid));
    expected_.assign(static_cast<std::size_t>(count), Bounded{0, 0});
    // Made again rather than read: an in-place gradient has taken the logits' place.
    operands_.logits(row, begin, logits_);
    reference::gradient(gradient, begin, logits_, std::span(expected_).first(logits_.size()));
  }

  void read(std::int64_t t, std::int64_t first, std::int64_t count) {
    values_.resize(static_cast<std::size_t>(count));
    const DType dtype = problem_.gradient_dtype;
    decode(dtype, actual_.row(t) + first * static_cast<std::int64_t>(size_of(dtype)), values_);
  }

  OutputComparison& comparison_;
  const Operands& operands_;
  const Problem& problem_;
  const RankInputs& inputs_;
  Rows actual_;
  int world_rank_;
  std::vector<float> logits_, values_;
  std::vector<Bounded> expected_;
};

}  // namespace

Comparisons::Comparisons(DType gradient_dtype) {
  (*this)[Output::grad_logits] = OutputComparison(format_of(gradient_dtype), true);
}

void Comparisons::combine(const Comparisons& other) {
  for (std::size_t i = 0; i < all_.size(); ++i) all_[i].combine(other.all_[i]);
}

Comparisons compare_outputs(const Expectation& expected, const RankInputs& inputs,
                            const RankOutputs& actual, const Operands& operands,
                            const Problem& problem, const ProcessGrid& grid) {
  Comparisons comparisons(problem.gradient_dtype);
  const int world_rank = grid.world().rank();
  const reference::Parameters parameters = reference_parameters(problem.options);
  GradientComparison gradient(comparisons[Output::grad_logits], operands, problem, inputs, actual,
                              world_rank);
  for (std::int64_t t = 0; t < inputs.rows(); ++t) {
    const auto& row = expected.rows[static_cast<std::size_t>(t)];
    const std::int64_t global_row = inputs.first_row() + t;
    if (owner_of_row(t, grid.tp().size()) == grid.tp().rank()) {
      compare_row(comparisons, row, actual, t, {global_row, 0, world_rank});
    }
    gradient.compare_row(
        t, reference::row_gradient(
               row, upstream_of(operands, problem, global_row, expected.global.valid_tokens()),
               parameters));
  }
  if (world_rank == 0) {
    comparisons[Output::loss_mean].add(actual.global.loss_mean, expected.global.loss_mean(), {});
    comparisons[Output::entropy_mean].add(actual.global.entropy_mean,
                                          expected.global.entropy_mean(), {});
  }
  return comparisons;
}

}  // namespace vparity::harness
