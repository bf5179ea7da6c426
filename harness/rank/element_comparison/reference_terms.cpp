#include "harness/rank/element_comparison/reference_terms.h"

#include <algorithm>

namespace vparity::harness {

reference::Parameters reference_parameters(const Options& options) {
  reference::Parameters parameters;
  parameters.temperature = options.temperature;
  if (options.softcap) parameters.softcap = *options.softcap;
  parameters.label_smoothing = options.label_smoothing;
  parameters.z_loss = options.z_loss;
  parameters.ignore_index = options.ignore_index;
  parameters.sums_on_grid = options.mode == Mode::reproducible;
  return parameters;
}

std::vector<std::int64_t> ids_of(const Operands& operands, const Problem& problem,
                                 std::int64_t row) {
  std::vector<std::int64_t> ids;
  for (int k = 0; k < problem.id_columns; ++k) ids.push_back(operands.id(row, k));
  return ids;
}

reference::Upstream upstream_of(const Operands& operands, const Problem& problem, std::int64_t row,
                                std::int64_t valid_tokens) {
  reference::Upstream upstream;
  for (int k = 0; k < problem.id_columns; ++k) {
    upstream.logprob.push_back(operands.grad_logprob(row, k));
  }
  upstream.entropy = operands.grad_entropy(row);
  upstream.loss = operands.grad_loss(row);
  if (problem.options.reduction == Reduction::mean) {
    upstream.loss /= static_cast<double>(std::max<std::int64_t>(valid_tokens, 1));
  }
  return upstream;
}

}  // namespace vparity::harness
