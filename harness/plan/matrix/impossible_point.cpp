#include "harness/plan/matrix/impossible_point.h"

#include "harness/case/inputs/inputs.h"
#include "vparity/errors.h"
#include "vparity/options.h"

namespace vparity::harness {
namespace {

/// The options that exclude each other by the kernels' own contract.
std::string impossible_options(const CaseParameters& parameters) {
  Options options;
  options.mode = parameters.mode;
  options.batch_invariant = parameters.batch_invariant;
  options.label_smoothing = parameters.label_smoothing;
  try {
    validate(options);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return {};
}

std::string impossible_measurement(const SweepCase& point) {
  if (point.parity && point.parameters.op != Operation::forward_backward)
    return "op is timed, not checked: only a sweep that measures throughput alone may name it";
  if (point.throughput && point.parameters.in_place)
    return "in_place is not timed: a second iteration would find no logits";
  return {};
}

std::string impossible_memory(const CaseParameters& parameters) {
  if (!parameters.in_place || parameters.gradient_dtype() == parameters.dtype) return {};
  return "in_place needs a gradient of the logits' type (grad_dtype=logits)";
}

}  // namespace

std::string impossible_point(const SweepCase& point) {
  const CaseParameters& parameters = point.parameters;
  for (std::string reason : {impossible_measurement(point), impossible_options(parameters),
                             impossible_memory(parameters), impossible_pattern(parameters)})
    if (!reason.empty()) return reason;
  return {};
}

}  // namespace vparity::harness
