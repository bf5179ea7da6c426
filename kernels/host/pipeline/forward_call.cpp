#include "host/pipeline/forward_call.h"

#include <limits>

#include "host/simd/stored_value.h"

namespace vparity {

float target_logit(const VocabShard& logits, std::int64_t row, std::int64_t column,
                   const Transform& transform) {
  const DType dtype = logits.rows().dtype;
  const auto offset = column * static_cast<std::int64_t>(size_of(dtype));
  const float x = stored_value(logits.rows().row(row) + offset, dtype);
  return x == -std::numeric_limits<float>::infinity() ? x : cpu::apply(transform, x);
}

float own_target(const ForwardCall& call, std::int64_t row, int k) {
  const ShardColumns& own = call.logits.columns();
  const std::int64_t id = call.ids(row, k);
  if (!own.owns(id) || call.ignored(id)) return 0;
  return target_logit(call.logits, row, id - own.begin, call.transform());
}

}  // namespace vparity
