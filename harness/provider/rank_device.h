// The device of a rank and the communicator of its group.
#pragma once

#include <cstdint>
#include <memory>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// Collective over both groups: the device kernels for a problem whose backend is not cpu. Backend
/// cuda-sim gives each rank a simulated device of its own. Throws DeviceError where there is no
/// such device.
std::unique_ptr<KernelSession> make_device_session(const Problem& problem, ProcessGroups groups,
                                                   const ShardColumns& own);

/// The processors of a backend, which limit how fast ranks can be.
struct Processors {
  int count = 0;                 ///< cores, or devices; ranks beyond them take turns
  std::int64_t cache_bytes = 0;  ///< of the largest cache before memory; 0 if unknown
};
Processors processors_of(Backend backend);

}  // namespace vparity::harness
