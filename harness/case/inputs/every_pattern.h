// For tests: parameters of a case for every value of every pattern axis.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/case/parameters.h"

namespace vparity::harness {

/// Small, with ragged shards.
inline CaseParameters pattern_base() {
  CaseParameters parameters;
  parameters.tp = 3;
  parameters.dp = 2;
  parameters.vocab = 203;
  return parameters;
}

inline CaseParameters with(CaseParameters parameters, LogitsPattern logits, DType dtype) {
  parameters.logits = logits;
  parameters.dtype = dtype;
  return parameters;
}

inline CaseParameters with(CaseParameters parameters, MaskPattern mask) {
  parameters.mask = mask;
  if (mask == MaskPattern::padding) parameters.layout = Layout::padded;
  return parameters;
}

inline CaseParameters with(CaseParameters parameters, LabelPattern labels) {
  parameters.labels = labels;
  return parameters;
}

inline CaseParameters with(CaseParameters parameters, WeightPattern weights) {
  parameters.weights = weights;
  return parameters;
}

inline std::vector<CaseParameters> every_pattern() {
  std::vector<CaseParameters> all;
  for (int logits = 0; logits <= static_cast<int>(LogitsPattern::nonfinite); ++logits) {
    for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
      all.push_back(with(pattern_base(), static_cast<LogitsPattern>(logits), dtype));
    }
  }
  for (int mask = 1; mask <= static_cast<int>(MaskPattern::whole_row); ++mask) {
    all.push_back(with(pattern_base(), static_cast<MaskPattern>(mask)));
  }
  for (int labels = 1; labels <= static_cast<int>(LabelPattern::one_dp_rank_ignored); ++labels) {
    all.push_back(with(pattern_base(), static_cast<LabelPattern>(labels)));
  }
  for (int weights = 1; weights <= static_cast<int>(WeightPattern::advantages); ++weights) {
    all.push_back(with(pattern_base(), static_cast<WeightPattern>(weights)));
  }
  return all;
}

/// The cases whose inputs do not depend on how the vocabulary is split.
inline std::vector<CaseParameters> patterns_without_layout() {
  std::vector<CaseParameters> all = every_pattern();
  std::erase_if(all, [](const CaseParameters& parameters) {
    return parameters.mask == MaskPattern::one_shard ||
           parameters.mask == MaskPattern::first_block || parameters.mask == MaskPattern::padding ||
           parameters.labels == LabelPattern::shard_edges;
  });
  return all;
}

inline std::string pattern_name(const CaseParameters& parameters) {
  std::string name;
  for (const char* axis : {"logits", "dtype", "mask", "labels", "weights"}) {
    name += axis_value(parameters, axis).get<std::string>() + "_";
  }
  return name;
}

}  // namespace vparity::harness
