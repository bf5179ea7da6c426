#include "host/pipeline/target_logits.h"

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

}  // namespace vparity
