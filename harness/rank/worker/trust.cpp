#include "harness/rank/worker/trust.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "harness/case/axes.h"

namespace vparity::harness {
namespace {

bool mask_occurred(MaskPattern mask, const Occurrence& seen) {
  switch (mask) {
    case MaskPattern::none:
      return true;
    case MaskPattern::top_k:
    case MaskPattern::random:
      return seen.masked_logits > 0;
    case MaskPattern::one_shard:
      return seen.masked_shards > 0;
    case MaskPattern::first_block:
      return seen.masked_starts > 0;
    case MaskPattern::target:
      return seen.masked_targets > 0;
    case MaskPattern::padding:
      return seen.finite_padding > 0;
    case MaskPattern::all_but_one:
      return seen.single_columns > 0;
    case MaskPattern::whole_row:
      return seen.degenerate_rows > 0;
  }
  return false;
}

bool labels_occurred(LabelPattern labels, const Occurrence& seen) {
  switch (labels) {
    case LabelPattern::uniform:
      return true;
    case LabelPattern::shard_edges:
      return seen.border_labels > 0;
    case LabelPattern::last_id:
      return seen.last_labels > 0;
    case LabelPattern::ignored_30:
      return seen.ignored_labels > 0 && seen.ignored_labels < seen.rows;
    case LabelPattern::all_ignored:
      return seen.rows > 0 && seen.ignored_labels == seen.rows;
    case LabelPattern::one_dp_rank_ignored:
      return seen.dp_ranks_ignored > 0;
  }
  return false;
}

bool weights_occurred(WeightPattern weights, const Occurrence& seen) {
  switch (weights) {
    case WeightPattern::ones:
      return true;
    case WeightPattern::zeros_mixed:
      return seen.zero_upstreams > 0 && seen.zero_upstreams < seen.upstreams;
    case WeightPattern::random_signed:
    case WeightPattern::advantages:
      return seen.non_unit_upstreams > 0;
  }
  return false;
}

bool logits_occurred(LogitsPattern logits, const Occurrence& seen) {
  return logits != LogitsPattern::nonfinite || seen.poisoned_rows > 0;
}

bool dp_rows_occurred(DpRows dp_rows, const Occurrence& seen) {
  return dp_rows != DpRows::one_empty || seen.dp_ranks_without_rows > 0;
}

std::vector<std::string> missing_patterns(const CaseParameters& parameters,
                                          const Occurrence& seen) {
  std::vector<std::string> missing;
  const auto look = [&](bool occurred, const char* axis) {
    if (occurred) return;
    missing.push_back(fmt::format("{}={}", axis, axis_value(parameters, axis).get<std::string>()));
  };
  look(logits_occurred(parameters.logits, seen), "logits");
  look(mask_occurred(parameters.mask, seen), "mask");
  look(labels_occurred(parameters.labels, seen), "labels");
  look(weights_occurred(parameters.weights, seen), "weights");
  look(dp_rows_occurred(parameters.dp_rows, seen), "dp_rows");
  return missing;
}

/// Cases in which an output is 0 by their very nature. Where a mask leaves one column of every row,
/// it is as at vocab 1.
bool declares_zeros(const CaseParameters& parameters, const Occurrence& seen) {
  const GradientOf& of = parameters.grad_of;
  const bool entropy_alone = of.entropy && !of.loss && !of.logprob;
  return parameters.tokens == 0 || parameters.vocab == 1 || seen.single_columns == seen.rows ||
         parameters.labels == LabelPattern::all_ignored ||
         (parameters.logits == LogitsPattern::constant && entropy_alone);
}

/// The reference is double and the outputs are rounded, so that somewhere they differ, unless one
/// was made from the other, or there is nothing to round: a row without numbers, or with one
/// column.
bool is_self_comparison(const CheckResult& result) {
  const Occurrence& seen = result.occurrence;
  if (seen.poisoned_rows + seen.degenerate_rows + seen.single_columns >= seen.rows) return false;
  auto telling =
      result.outcome.outputs | std::views::filter([](const reports::OutputResult& output) {
        return output.nontrivial.value_or(0) > 0;
      });
  return !telling.empty() &&
         std::ranges::all_of(telling, [](const auto& output) { return output.max_abs == 0; });
}

}  // namespace

std::optional<reports::Reason> reason_for_distrust(const CaseParameters& parameters,
                                                   const CheckResult& result) {
  const auto missing = missing_patterns(parameters, result.occurrence);
  if (!missing.empty()) {
    return reports::Reason{"pattern_missing",
                           fmt::format("did not occur: {}", fmt::join(missing, ", "))};
  }
  if (declares_zeros(parameters, result.occurrence)) return std::nullopt;
  if (!result.zero_outputs.empty()) {
    return reports::Reason{"expected_zeros", fmt::format("expected to be 0 in every element: {}",
                                                         fmt::join(result.zero_outputs, ", "))};
  }
  if (is_self_comparison(result)) {
    return reports::Reason{"self_comparison",
                           "every output is what was expected to the last digit of a double: both "
                           "come from the same source"};
  }
  return std::nullopt;
}

}  // namespace vparity::harness
