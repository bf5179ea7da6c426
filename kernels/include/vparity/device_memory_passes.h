// Passes over a device's memory that measure its bandwidth, the floor of the kernels' times.
#pragma once

#include "vparity/device.h"
#include "vparity/device_buffer.h"
#include "vparity/placement.h"

namespace vparity {

/// Passes over a shard in a device's memory, enqueued as the kernels are.
class DeviceMemoryPasses {
 public:
  explicit DeviceMemoryPasses(Device& device) : device_(device), folded_(device) {}

  /// Reads all columns of all rows by the kernels' loads.
  void read(const VocabShard& logits);

  /// Copies the logits of each row to the bytes of its gradient.
  void copy(const VocabShard& logits, const MutableVocabShard& gradient);

 private:
  Device& device_;
  DeviceBuffer folded_;
};

}  // namespace vparity
