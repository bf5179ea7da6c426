// Ranks that each have a GPU, over NCCL. Installed if the library is built with CUDA and NCCL.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "vparity/communicator.h"
#include "vparity/device.h"
#include "vparity/device_communicator.h"

namespace vparity {

struct NcclOptions {
  /// How long a rank waits for the other ranks, during initialisation and in a collective. The time
  /// of work enqueued before the collective counts too.
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);
};

/// This rank's part of a group over the ranks of `group`, on the stream of `device`, a CUDA device;
/// transport "nccl". Collective over `group`, which carries the group's id and is not needed
/// afterwards. `device` is not owned and outlives it. A failure on one rank throws
/// CommunicationError on every rank, with that rank and its message. So do two ranks with one GPU,
/// which NCCL refuses.
///
/// An error, or a peer that does not arrive within the time limit, ends the group: this call and
/// each later one throw CommunicationError with the rank, the operation and NCCL's message.
std::unique_ptr<DeviceCommunicator> make_nccl_communicator(Communicator& group, Device& device,
                                                           const NcclOptions& options = {});

/// Version of the loaded library, such as "2.28.9"; it may differ from that of the build.
std::string nccl_version();

}  // namespace vparity
