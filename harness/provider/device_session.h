// The device kernels as a provider under test: operands come from the host and results go back.
#pragma once

#include <memory>

#include "harness/provider/provider.h"
#include "vparity/device.h"
#include "vparity/device_communicator.h"

namespace vparity::harness {

/// Collective over both groups. `tp` has the ranks of groups.tp, with their parts in the memory of
/// `device`.
std::unique_ptr<KernelSession> session_on_device(const Problem& problem, ProcessGroups groups,
                                                 const ShardColumns& own,
                                                 std::unique_ptr<Device> device,
                                                 std::unique_ptr<DeviceCommunicator> tp);

}  // namespace vparity::harness
