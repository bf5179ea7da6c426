// The conditions under which a pattern can occur. A case whose pattern did not occur would pass
// without having tested what it names.
#include <fmt/format.h>

#include <algorithm>

#include "harness/case/axes.h"
#include "harness/case/inputs/dp_rows.h"
#include "harness/case/inputs/inputs.h"
#include "harness/case/inputs/mask_patterns.h"
#include "harness/case/inputs/row_schedule.h"

namespace vparity::harness {
namespace {

/// "mask=top_k"
std::string named(const CaseParameters& p, std::string_view axis) {
  return fmt::format("{}={}", axis, axis_value(p, axis).get<std::string>());
}

std::string needs_tokens(const CaseParameters& p, std::string_view axis, std::int64_t needed) {
  if (p.tokens >= needed) return {};
  return fmt::format("{} needs at least {} tokens, there are {}", named(p, axis), needed, p.tokens);
}

std::string needs_columns(const CaseParameters& p, std::string_view axis, std::int64_t needed) {
  if (p.vocab >= needed) return {};
  return fmt::format("{} needs a vocabulary of at least {}, it is {}", named(p, axis), needed,
                     p.vocab);
}

std::string first_of(std::initializer_list<std::string> reasons) {
  const auto* found = std::find_if(reasons.begin(), reasons.end(),
                                   [](const std::string& reason) { return !reason.empty(); });
  return found == reasons.end() ? std::string() : *found;
}

std::string impossible_logits(const CaseParameters& p) {
  switch (p.logits) {
    case LogitsPattern::normal:
      return {};
    case LogitsPattern::one_peak:
    case LogitsPattern::ascending:
    case LogitsPattern::ties:
      return first_of({needs_tokens(p, "logits", 1), needs_columns(p, "logits", 2)});
    case LogitsPattern::nonfinite:
      return needs_tokens(p, "logits", schedule::nonfinite_period);
    default:
      return needs_tokens(p, "logits", 1);
  }
}

std::string needs_two_shards(const CaseParameters& p, const VocabularySplit& split) {
  if (p.tp > 1 && split.shard(1).valid() > 0) return {};
  return fmt::format("mask=one_shard needs two shards with columns (tp={}, vocab={})", p.tp,
                     p.vocab);
}

std::string needs_a_pair_of_columns(const CaseParameters& p, const VocabularySplit& split) {
  if (split.shard(0).valid() > 1) return {};
  return fmt::format("mask=first_block needs a shard of two columns (tp={}, vocab={})", p.tp,
                     p.vocab);
}

std::string needs_padding(const CaseParameters& p, const VocabularySplit& split) {
  const ShardColumns& last = split.shard(p.tp - 1);
  if (last.width > last.valid()) return {};
  return fmt::format("mask=padding needs padding columns (layout padded, {} not a multiple of {})",
                     p.vocab, last.width);
}

std::string needs_a_target(const CaseParameters& p) {
  if (p.labels != LabelPattern::all_ignored) return {};
  return "mask=target needs labels that are not ignored";
}

std::string impossible_mask(const CaseParameters& p) {
  if (p.mask == MaskPattern::none) return {};
  const auto split = VocabularySplit::of_layout(p.layout, p.vocab, p.tp);
  const std::string no_rows = needs_tokens(p, "mask", 1);
  switch (p.mask) {
    case MaskPattern::none:
      return {};
    case MaskPattern::top_k:
      return first_of({no_rows, needs_columns(p, "mask", top_k_kept + 1)});
    case MaskPattern::random:
      return first_of({no_rows, needs_columns(p, "mask", 2)});
    case MaskPattern::one_shard:
      return first_of({no_rows, needs_two_shards(p, split)});
    case MaskPattern::first_block:
      return first_of({no_rows, needs_a_pair_of_columns(p, split)});
    case MaskPattern::target:
      return first_of({no_rows, needs_columns(p, "mask", 2), needs_a_target(p)});
    case MaskPattern::padding:
      return first_of({no_rows, needs_padding(p, split)});
    case MaskPattern::all_but_one:
      return first_of({no_rows, needs_columns(p, "mask", 2)});
    case MaskPattern::whole_row:
      return needs_tokens(p, "mask", schedule::whole_row_period);
  }
  return {};
}

std::string needs_a_class_to_label(const CaseParameters& p) {
  if (p.vocab > 1 || p.ignore_index != 0 || p.tokens == 0) return {};
  return "at vocab=1, ignore_index=0 leaves no class to label a row with";
}

std::string needs_last_id(const CaseParameters& p) {
  if (p.ignore_index != p.vocab - 1) return {};
  return fmt::format("labels=last_id needs the last id, which is the ignore_index {}",
                     p.ignore_index);
}

std::string needs_two_dp_ranks_with_rows(const CaseParameters& p) {
  const auto rows = deal_rows(p);
  if (std::count_if(rows.begin(), rows.end(), [](std::int64_t n) { return n > 0; }) >= 2) return {};
  return fmt::format("labels=one_dp_rank_ignored needs two DP ranks with rows (dp={}, tokens={})",
                     p.dp, p.tokens);
}

std::string impossible_labels(const CaseParameters& p) {
  switch (p.labels) {
    case LabelPattern::uniform:
      return needs_a_class_to_label(p);
    case LabelPattern::shard_edges:
      return first_of({needs_tokens(p, "labels", 1), needs_a_class_to_label(p)});
    case LabelPattern::last_id:
      return first_of({needs_tokens(p, "labels", 1), needs_last_id(p)});
    case LabelPattern::ignored_30:
      return first_of({needs_tokens(p, "labels", 2), needs_a_class_to_label(p)});
    case LabelPattern::all_ignored:
      return needs_tokens(p, "labels", 1);
    case LabelPattern::one_dp_rank_ignored:
      return first_of({needs_two_dp_ranks_with_rows(p), needs_a_class_to_label(p)});
  }
  return {};
}

std::string impossible_weights(const CaseParameters& p) {
  switch (p.weights) {
    case WeightPattern::ones:
      return {};
    case WeightPattern::zeros_mixed:
      return needs_tokens(p, "weights", 2);
    case WeightPattern::random_signed:
    case WeightPattern::advantages:
      return needs_tokens(p, "weights", 1);
  }
  return {};
}

std::string impossible_dp_rows(const CaseParameters& p) {
  if (p.dp_rows == DpRows::even || (p.dp > 1 && p.tokens > 0)) return {};
  return fmt::format("{} needs dp > 1 and tokens > 0 (dp={}, tokens={})", named(p, "dp_rows"), p.dp,
                     p.tokens);
}

}  // namespace

std::string impossible_pattern(const CaseParameters& parameters) {
  return first_of({impossible_dp_rows(parameters), impossible_logits(parameters),
                   impossible_mask(parameters), impossible_labels(parameters),
                   impossible_weights(parameters)});
}

}  // namespace vparity::harness
