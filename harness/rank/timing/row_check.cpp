#include "harness/rank/timing/row_check.h"

#include "harness/case/storage.h"
#include "harness/rank/element_comparison/reference_terms.h"
#include "harness/rank/relations/operands_view.h"

namespace vparity::harness {
namespace {

void compare_statistics(const reference::RowStatistics& expected, std::int64_t t, Place place,
                        const RankOutputs& outputs, Comparisons& comparisons) {
  for (std::size_t k = 0; k < expected.logprob.size(); ++k) {
    place.column = static_cast<std::int64_t>(k);
    comparisons[Output::logprob].add(replicated(outputs.logprob)(t, place.column),
                                     expected.logprob[k], place);
  }
  place.column = 0;
  comparisons[Output::entropy].add(replicated(outputs.entropy)(t), expected.entropy, place);
  comparisons[Output::lse].add(replicated(outputs.lse)(t), expected.lse, place);
  comparisons[Output::loss].add(replicated(outputs.loss)(t), expected.loss, place);
}

void compare_gradient(const reference::RowGradient& gradient, std::span<const float> own_logits,
                      std::int64_t t, Place place, const RankOutputs& outputs,
                      Comparisons& comparisons) {
  std::vector<reference::Bounded> expected(own_logits.size());
  reference::gradient(gradient, outputs.columns.begin, own_logits, expected);
  std::vector<float> actual(own_logits.size());
  const Rows rows = std::as_const(*outputs.gradient).rows();
  decode(rows.dtype, rows.row(t), actual);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    place.column = outputs.columns.begin + static_cast<std::int64_t>(i);
    comparisons[Output::grad_logits].add(actual[i], expected[i], place);
  }
}

}  // namespace

void compare_timed_row(const RowCheck& check, const ComputedParts& parts, std::int64_t t,
                       const RankOutputs& outputs, Comparisons& comparisons) {
  const std::int64_t row = check.first_row + t;
  const reference::Parameters parameters = reference_parameters(check.problem.options);
  const std::vector<float> logits = whole_row(check.operands, row, check.problem.vocab);
  const auto expected =
      reference::row_statistics(logits, ids_of(check.operands, check.problem, row), parameters);
  const Place place{row, 0, check.world_rank};
  if (parts.statistics) compare_statistics(expected, t, place, outputs, comparisons);
  if (!parts.gradient) return;
  const auto upstream = upstream_of(check.operands, check.problem, row, check.valid_tokens);
  const auto own = std::span(logits).subspan(static_cast<std::size_t>(outputs.columns.begin),
                                             static_cast<std::size_t>(outputs.columns.valid()));
  compare_gradient(reference::row_gradient(expected, upstream, parameters), own, t, place, outputs,
                   comparisons);
}

}  // namespace vparity::harness
