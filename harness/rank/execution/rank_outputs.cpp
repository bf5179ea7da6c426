#include "harness/rank/execution/rank_outputs.h"

#include <fmt/format.h>

#include "vparity/errors.h"

namespace vparity::harness {
namespace {

std::shared_ptr<GuardedRows> gradient_buffer(const Problem& problem, const RankInputs& inputs,
                                             RowPlacement placement) {
  if (!problem.in_place) {
    return std::make_shared<GuardedRows>(problem.gradient_dtype, inputs.rows(),
                                         inputs.columns().width, placement);
  }
  if (problem.gradient_dtype == problem.logits_dtype) return inputs.buffer();
  throw ArgumentError(fmt::format("a gradient in place of {} logits cannot be {}",
                                  name_of(problem.logits_dtype), name_of(problem.gradient_dtype)));
}

}  // namespace

RankOutputs::RankOutputs(const Problem& problem, const RankInputs& inputs, RowPlacement placement)
    : logprob(DType::fp32, inputs.rows(), problem.id_columns),
      entropy(DType::fp32, inputs.rows(), 1),
      lse(DType::fp32, inputs.rows(), 1),
      loss(DType::fp32, inputs.rows(), 1),
      gradient(gradient_buffer(problem, inputs, placement)),
      columns(inputs.columns()) {}

StatisticsViews RankOutputs::views() {
  return {replicated(logprob), replicated(entropy), replicated(lse), replicated(loss)};
}

bool RankOutputs::guards_intact() const {
  return logprob.guards_intact() && entropy.guards_intact() && lse.guards_intact() &&
         loss.guards_intact() && gradient->guards_intact();
}

std::int64_t RankOutputs::unwritten_elements() const {
  return logprob.unwritten_elements() + entropy.unwritten_elements() + lse.unwritten_elements() +
         loss.unwritten_elements() + gradient->unwritten_elements();
}

}  // namespace vparity::harness
