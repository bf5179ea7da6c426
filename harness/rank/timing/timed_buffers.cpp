#include "harness/rank/timing/timed_buffers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/machine/passes.h"

namespace vparity::harness {
namespace {

/// Rows that lie side by side are one run.
struct Runs {
  std::int64_t count = 0;
  std::int64_t rows_per_run = 0;

  Runs(const Rows& rows, std::int64_t width) {
    const bool packed = rows.row_stride == width;
    count = packed ? std::min<std::int64_t>(rows.rows, 1) : rows.rows;
    rows_per_run = packed ? rows.rows : 1;
  }
  std::size_t bytes(std::int64_t width, DType dtype) const {
    return static_cast<std::size_t>(rows_per_run * width) * size_of(dtype);
  }
};

double bytes_of(std::int64_t rows, std::int64_t width, DType dtype) {
  return static_cast<double>(rows) * static_cast<double>(width) *
         static_cast<double>(size_of(dtype));
}

}  // namespace

void Slot::read(std::size_t prefetch_distance) const {
  const Rows rows = inputs.logits().rows();
  const std::int64_t width = inputs.columns().width;
  const Runs runs(rows, width);
  for (std::int64_t run = 0; run < runs.count; ++run)
    read_pass({rows.row(run), runs.bytes(width, rows.dtype)}, prefetch_distance);
}

void Slot::copy(std::size_t prefetch_distance) {
  const Rows from = inputs.logits().rows();
  const MutableRows to = outputs.gradient->mutable_rows();
  const std::int64_t width = inputs.columns().width;
  const Runs runs(from, width);  // both have the same strides
  const DType narrower = size_of(from.dtype) < size_of(to.dtype) ? from.dtype : to.dtype;
  const std::size_t bytes = runs.bytes(width, narrower);
  for (std::int64_t run = 0; run < runs.count; ++run)
    copy_pass({from.row(run), bytes}, {to.row(run), bytes}, prefetch_distance);
}

CallMemory Slot::call_memory() {
  return {inputs.logits(),
          inputs.ids(),
          inputs.upstream(),
          outputs.views(),
          {outputs.gradient->mutable_rows(), inputs.columns()}};
}

double Slot::logits_bytes() const {
  return bytes_of(inputs.rows(), inputs.columns().width, inputs.logits().rows().dtype);
}

double Slot::copied_bytes() const {
  const DType gradient = std::as_const(*outputs.gradient).rows().dtype;
  return std::min(logits_bytes(), bytes_of(inputs.rows(), inputs.columns().width, gradient));
}

SlotCount slots_needed(double bytes_per_slot, int world, std::int64_t cache_bytes) {
  // Where the machine does not say: more than any processor has.
  constexpr double unknown_cache = 512e6;
  constexpr double most = 1024;
  const double cache = cache_bytes > 0 ? static_cast<double>(cache_bytes) : unknown_cache;
  if (bytes_per_slot <= 0) return {1, true};
  const double needed = std::ceil(2 * cache / (bytes_per_slot * world)) + 1;
  return {static_cast<std::size_t>(std::min(needed, most)), needed > most};
}

}  // namespace vparity::harness
