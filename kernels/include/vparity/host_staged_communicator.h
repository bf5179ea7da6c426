// A group of devices whose contributions travel through the host's memory. It serves ranks without
// NCCL, and ranks that share one device, which NCCL refuses.
#pragma once

#include <memory>

#include "vparity/communicator.h"
#include "vparity/device.h"
#include "vparity/device_communicator.h"

namespace vparity {

/// This rank's part of a group over the ranks of `group`; transport "host-staged". `group` and
/// `device` are not owned and outlive it. Each all-gather waits for the device's queue, because the
/// host has to read the contribution. Its host buffers are kept from call to call.
std::unique_ptr<DeviceCommunicator> make_host_staged_communicator(Communicator& group,
                                                                  Device& device);

}  // namespace vparity
