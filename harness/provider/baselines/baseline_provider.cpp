#include "harness/provider/baselines/baseline_provider.h"

namespace vparity::harness::baselines {

std::optional<std::string> unsupported_by_baselines(const Problem& problem) {
  const Options& options = problem.options;
  if (options.mode != Mode::fast) return "the baselines have mode fast alone";
  if (options.chunk != 0) return "the baselines take all rows at once";
  if (options.softcap) return "the baselines have no softcap";
  if (options.label_smoothing != 0) return "the baselines have no label smoothing";
  if (options.z_loss != 0) return "the baselines have no z-loss";
  if (problem.id_columns != 1) return "the baselines take one id column";
  if (problem.in_place) return "the baselines leave the logits as they are";
  return std::nullopt;
}

}  // namespace vparity::harness::baselines
