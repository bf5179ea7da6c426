// All outputs of one problem against the reference, on one rank.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/check/expectation.h"
#include "harness/check/rank_inputs.h"
#include "harness/check/rank_outputs.h"
#include "harness/compare/compare.h"

namespace vparity::harness {

enum class Output { logprob, entropy, lse, loss, grad_logits, loss_mean, entropy_mean };
inline constexpr std::array<std::string_view, 7> output_names{
    "logprob", "entropy", "lse", "loss", "grad_logits", "loss_mean", "entropy_mean"};

/// One comparison per output, in the order of Output.
class Comparisons {
 public:
  explicit Comparisons(DType gradient_dtype);

  OutputComparison& operator[](Output output) { return all_[static_cast<std::size_t>(output)]; }
  const std::array<OutputComparison, output_names.size()>& all() const { return all_; }
  void combine(const Comparisons& other);

 private:
  std::array<OutputComparison, output_names.size()> all_;
};

/// Compares what this rank answers for, so that each element is looked at once: the rows it made
/// the reference of, the whole gradient of its shard, on world rank 0 the means. O(V) memory.
Comparisons compare_outputs(const Expectation& expected, const RankInputs& inputs,
                            const RankOutputs& actual, const Operands& operands,
                            const Problem& problem, const ProcessGrid& grid);

}  // namespace vparity::harness
