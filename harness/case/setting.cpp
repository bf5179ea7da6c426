#include "harness/case/setting.h"

#include "harness/case/axes.h"

namespace vparity::harness {

CaseParameters setting_of(CaseParameters parameters) {
  const CaseParameters standard;
  parameters.provider = standard.provider;
  parameters.mode = standard.mode;
  parameters.batch_invariant = standard.batch_invariant;
  parameters.chunk = standard.chunk;
  parameters.op = standard.op;
  return parameters;
}

std::string variant_of(const CaseParameters& parameters) {
  const bool ours = parameters.provider == CaseParameters{}.provider;
  const auto mode = axis_value(parameters, "mode").get<std::string>();
  std::string name = ours ? mode : parameters.provider;
  if (!ours && parameters.mode != Mode::fast) name += "-" + mode;
  if (parameters.batch_invariant) name += "-batch-invariant";
  if (parameters.chunk != 0) name += "-chunk-" + std::to_string(parameters.chunk);
  return name;
}

}  // namespace vparity::harness
