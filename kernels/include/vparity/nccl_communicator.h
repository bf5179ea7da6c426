// Ranks that each have a GPU, over NCCL. Present when the library is built with CUDA and NCCL.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "vparity/communicator.h"
#include "vparity/device.h"
#include "vparity/device_communicator.h"

namespace vparity {

struct NcclOptions {
  /// How long a rank waits for the others, to come up or in a collective, before it gives up. What
  /// stands in the device's queue before a collective counts too.
  std::chrono::milliseconds time_limit = std::chrono::seconds(60);
};

/// This rank's part of a group over `group`, on the stream of `device`, a CUDA device; transport
/// "nccl". Collective over `group`, which carries the group's id and is not needed afterwards.
/// Throws on every rank if it fails on any: CommunicationError that names the rank and what it
/// said, also if two ranks have one GPU, which NCCL refuses. `device` is not owned and outlives it.
///
/// An error, or a peer that does not come within the time limit, ends the group: the call throws
/// CommunicationError, which names rank, operation and what NCCL said, and so does each later one.
std::unique_ptr<DeviceCommunicator> make_nccl_communicator(Communicator& group, Device& device,
                                                           const NcclOptions& options = {});

/// "2.28.9" of the library that is loaded, which may be another than that of the build.
std::string nccl_version();

}  // namespace vparity
