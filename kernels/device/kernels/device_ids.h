// Token ids in device memory.
#pragma once

#include <cstdint>

#include "reproducible/host_device.h"

namespace vparity::cuda {

/// [T, K], 64-bit or 32-bit; strides in elements.
struct DeviceIds {
  const void* data;
  bool wide;
  int count;  ///< K
  std::int64_t row_stride;
  std::int64_t column_stride;

  VPARITY_HOST_DEVICE int columns() const { return count; }
  VPARITY_HOST_DEVICE std::int64_t operator()(std::int64_t row, int k) const {
    const std::int64_t at = row * row_stride + k * column_stride;
    return wide ? static_cast<const std::int64_t*>(data)[at]
                : static_cast<const std::int32_t*>(data)[at];
  }
  DeviceIds from_row(std::int64_t row) const {
    DeviceIds rest = *this;
    const std::int64_t skipped = row * row_stride;
    rest.data = wide ? static_cast<const void*>(static_cast<const std::int64_t*>(data) + skipped)
                     : static_cast<const std::int32_t*>(data) + skipped;
    return rest;
  }
};

}  // namespace vparity::cuda
