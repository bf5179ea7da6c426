// All-gather among the devices of a tensor-parallel group.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace vparity {

/// A group of ranks whose contributions lie in their devices' memory. As with a Communicator, every
/// rank makes the calls in the same order.
class DeviceCommunicator {
 public:
  virtual ~DeviceCommunicator() = default;
  DeviceCommunicator(const DeviceCommunicator&) = delete;
  DeviceCommunicator& operator=(const DeviceCommunicator&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// "nccl" or "host-staged".
  virtual std::string_view transport() const = 0;

  /// Enqueued on the device's stream. Rank r contributes `send`, which has sizes[r] bytes.
  /// `receive` gets all contributions in rank order. Both are device addresses. `sizes` is the same
  /// on every rank and may contain zeros.
  virtual void all_gather(const std::byte* send, std::byte* receive,
                          std::span<const std::size_t> sizes) = 0;

  /// Returns once the device's queue is empty. Throws CommunicationError if a peer is gone, instead
  /// of waiting for it.
  virtual void wait() = 0;

 protected:
  DeviceCommunicator() = default;
};

}  // namespace vparity
