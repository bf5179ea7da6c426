// One device as one rank sees it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vparity {

namespace cuda {
class Kernels;
}

/// Memory and the queue of work (the stream) of a device. Calls are enqueued and carried out in
/// order; an error that a device reports is thrown as DeviceError by this call or a later one. Not
/// to be used by two threads at once.
class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// At a multiple of 256 bytes; `bytes` may be 0. Throws DeviceError if there is no room.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  /// Once what was enqueued before has been carried out.
  virtual void release(std::byte* memory) noexcept = 0;

  /// Host to device. `from` may be reused on return.
  virtual void copy_in(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  /// Device to host; complete after wait().
  virtual void copy_out(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  /// Device to device.
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  virtual void fill(std::byte* to, int byte, std::size_t bytes) = 0;

  /// Until all that was enqueued has been carried out.
  virtual void wait() = 0;

  /// A cudaStream_t; nullptr where there is none.
  virtual void* stream() = 0;

  /// Of the largest cache before its memory; 0 if unknown.
  virtual std::int64_t cache_bytes() const { return 0; }

  /// The library's own, on this queue.
  virtual cuda::Kernels& kernels() = 0;

 protected:
  Device() = default;
};

}  // namespace vparity
