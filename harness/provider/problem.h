// The problem and the options that a case's parameters stand for.
#pragma once

#include "harness/case/parameters.h"
#include "harness/provider/provider.h"

namespace vparity::harness {

inline Options options_of(const CaseParameters& parameters) {
  return {.temperature = parameters.temperature,
          .softcap = parameters.softcap,
          .label_smoothing = parameters.label_smoothing,
          .z_loss = parameters.z_loss,
          .ignore_index = parameters.ignore_index,
          .reduction = parameters.reduction,
          .chunk = parameters.chunk,
          .mode = parameters.mode,
          .batch_invariant = parameters.batch_invariant};
}

inline Problem problem_of(const CaseParameters& parameters) {
  return {.backend = parameters.backend,
          .transport = parameters.transport,
          .vocab = parameters.vocab,
          .logits_dtype = parameters.dtype,
          .gradient_dtype = parameters.gradient_dtype(),
          .id_columns = parameters.ids,
          .in_place = parameters.in_place,
          .layout = parameters.layout,
          .options = options_of(parameters)};
}

}  // namespace vparity::harness
