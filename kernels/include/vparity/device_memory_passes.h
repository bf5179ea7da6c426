// How fast a device's memory is: what the kernels are measured against.
#pragma once

#include "vparity/device.h"
#include "vparity/device_buffer.h"
#include "vparity/placement.h"

namespace vparity {

/// Passes over a shard in a device's memory that do nothing else, enqueued as the kernels are.
class DeviceMemoryPasses {
 public:
  explicit DeviceMemoryPasses(Device& device) : device_(device), folded_(device) {}

  /// All columns of all rows, by the kernels' own loads.
  void read(const VocabShard& logits);

  /// As many bytes of each row as both have.
  void copy(const VocabShard& logits, const MutableVocabShard& gradient);

 private:
  Device& device_;
  DeviceBuffer folded_;
};

}  // namespace vparity
