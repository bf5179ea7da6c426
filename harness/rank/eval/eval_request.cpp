#include "harness/rank/eval/eval_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/case/axes.h"
#include "harness/io/usage_error.h"

namespace vparity::harness {

const std::vector<std::string>& eval_axes() {
  static const std::vector<std::string> axes{
      "tp",          "dp",      "mode",         "batch_invariant", "layout",
      "temperature", "softcap", "ignore_index", "label_smoothing", "z_loss",
      "reduction",   "chunk",   "grad_dtype",   "backend"};
  return axes;
}

std::string option_of(std::string_view axis) {
  std::string option = fmt::format("--{}", axis);
  std::ranges::replace(option, '_', '-');
  return option;
}

void validate(const EvalRequest& request) {
  const CaseParameters& parameters = request.parameters;
  if (parameters.mode == Mode::reproducible && parameters.label_smoothing > 0)
    throw UsageError(
        "--label-smoothing is not offered with --mode reproducible; use --mode gather");
  if (parameters.batch_invariant && parameters.mode == Mode::fast)
    throw UsageError(
        "--batch-invariant cannot hold with --mode fast, whose bits depend on TP and batch; use "
        "--mode reproducible or --mode gather");
}

nlohmann::ordered_json to_json(const EvalRequest& request) {
  nlohmann::ordered_json options = nlohmann::ordered_json::object();
  for (const std::string& axis : eval_axes()) options[axis] = axis_value(request.parameters, axis);
  return {{"kind", "eval"},
          {"world", request.parameters.world()},
          {"input", request.input},
          {"output", request.output},
          {"options", options}};
}

EvalRequest eval_request_from_json(const nlohmann::json& job) {
  return {job.at("input").get<std::string>(), job.at("output").get<std::string>(),
          parameters_from_json(job.at("options"))};
}

}  // namespace vparity::harness
