// Which device a rank has, and how its group talks.
#pragma once

#include <memory>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// Collective over both groups: the device kernels for a problem whose backend is not cpu. Backend
/// cuda-sim gives each rank a simulated device of its own. Throws DeviceError where there is no
/// such device.
std::unique_ptr<KernelSession> make_device_session(const Problem& problem, ProcessGroups groups,
                                                   const ShardColumns& own);

}  // namespace vparity::harness
