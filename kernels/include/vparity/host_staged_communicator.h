// Ranks whose contributions lie in devices' memory and travel through the host's: where there is no
// NCCL between them, and where several ranks share one device, which NCCL refuses.
#pragma once

#include <memory>

#include "vparity/communicator.h"
#include "vparity/device.h"
#include "vparity/device_communicator.h"

namespace vparity {

/// This rank's part of a group over `group`; transport "host-staged". Neither is owned. Each
/// all-gather waits for the device's queue, because the host has to see the contribution; its
/// buffers there are kept from call to call.
std::unique_ptr<DeviceCommunicator> make_host_staged_communicator(Communicator& group,
                                                                  Device& device);

}  // namespace vparity
