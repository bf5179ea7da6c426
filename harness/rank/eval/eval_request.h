// What `vparity eval` was asked for, as it passes from the command line to the ranks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/case/parameters.h"

namespace vparity::harness {

struct EvalRequest {
  std::string input;
  std::string output;         ///< the file the ranks write into; empty: none
  CaseParameters parameters;  ///< `eval_axes`; the others follow from the input file
};

/// The axes that are options of eval: "--" and the name with '-' for '_'.
const std::vector<std::string>& eval_axes();

/// "label_smoothing" -> "--label-smoothing"
std::string option_of(std::string_view axis);

/// Throws UsageError for values that cannot go together or that this build does not offer.
void validate(const EvalRequest& request);

/// The job file of an eval: "kind" is "eval".
nlohmann::ordered_json to_json(const EvalRequest& request);
EvalRequest eval_request_from_json(const nlohmann::json& job);

}  // namespace vparity::harness
