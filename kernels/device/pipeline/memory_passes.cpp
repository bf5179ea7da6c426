#include "vparity/device_memory_passes.h"

#include "device/kernels/kernels.h"

namespace vparity {

void DeviceMemoryPasses::read(const VocabShard& logits) {
  const Rows& rows = logits.rows();
  const std::int64_t width = logits.columns().width;
  const auto tiles = static_cast<std::size_t>(rows.rows * cuda::blocks_of(width));
  cuda::kernels_of(device_).read_rows({rows.data, rows.row_stride, rows.dtype, rows.rows, width,
                                       folded_.resize<std::uint32_t>(tiles)});
}

void DeviceMemoryPasses::copy(const VocabShard& logits, const MutableVocabShard& gradient) {
  const Rows& from = logits.rows();
  const MutableRows& to = gradient.rows();
  // The gradient is as wide as the logits' type, or wider.
  const auto per_element = static_cast<std::int64_t>(size_of(to.dtype) / size_of(from.dtype));
  cuda::kernels_of(device_).copy_rows({from.data, from.row_stride, to.data,
                                       to.row_stride * per_element, from.dtype, from.rows,
                                       logits.columns().width});
}

}  // namespace vparity
