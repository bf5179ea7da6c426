#include "harness/timing/timed_buffers.h"

#include <algorithm>
#include <cmath>

namespace vparity::harness {
namespace {

/// From the first row's first byte to the last row's last.
std::size_t extent(const Rows& rows, std::int64_t width) {
  if (rows.rows == 0 || width == 0) return 0;
  const auto elements = (rows.rows - 1) * rows.row_stride + width;
  return static_cast<std::size_t>(elements) * size_of(rows.dtype);
}

}  // namespace

std::span<const std::byte> Slot::logits_bytes() const {
  const Rows rows = inputs.logits().rows();
  return {rows.data, extent(rows, inputs.columns().width)};
}

std::span<std::byte> Slot::gradient_bytes() {
  const MutableRows rows = outputs.gradient->mutable_rows();
  return {rows.data, extent(std::as_const(*outputs.gradient).rows(), outputs.columns.width)};
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
