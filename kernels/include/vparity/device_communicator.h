// The collective among the devices of a tensor-parallel group.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace vparity {

/// A group of ranks whose contributions lie in their devices' memory. As with a Communicator, calls
/// are made by every rank in the same order.
class DeviceCommunicator {
 public:
  virtual ~DeviceCommunicator() = default;
  DeviceCommunicator(const DeviceCommunicator&) = delete;
  DeviceCommunicator& operator=(const DeviceCommunicator&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// "nccl" or "host-staged".
  virtual std::string_view transport() const = 0;

  /// Enqueued on the device's stream. Rank r contributes `send`, sizes[r] bytes of it; `receive`
  /// holds all contributions in rank order. Both are addresses of the device; `sizes` is the same
  /// on every rank and may hold zeros.
  virtual void all_gather(const std::byte* send, std::byte* receive,
                          std::span<const std::size_t> sizes) = 0;

  /// Until the device's queue is empty. Throws CommunicationError rather than waiting for a peer
  /// that is gone.
  virtual void wait() = 0;

 protected:
  DeviceCommunicator() = default;
};

}  // namespace vparity
