// The device of one rank: its memory and its queue of work.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vparity {

/// Memory of a device and its queue of work, a stream. Calls are enqueued and executed in order. An
/// error of the device is thrown as DeviceError by the same or a later call. Two threads must not
/// use one Device at once. Devices are made by make_cuda_device(); kernels run on such devices
/// only.
class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Device memory at a multiple of 256 bytes, owned by the caller until release(). `bytes` may be
  /// 0. Throws DeviceError if there is not enough memory.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  /// Frees memory from allocate() once all work enqueued before is done.
  virtual void release(std::byte* memory) noexcept = 0;

  /// Host to device. The caller may reuse `from` on return.
  virtual void copy_in(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  /// Device to host; complete after wait().
  virtual void copy_out(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  /// Device to device.
  virtual void copy(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  virtual void fill(std::byte* to, int byte, std::size_t bytes) = 0;

  /// Returns once all enqueued work is done.
  virtual void wait() = 0;

  /// The cudaStream_t; nullptr if the device has none.
  virtual void* stream() = 0;

  /// Size of the last-level cache in bytes; 0 if unknown.
  virtual std::int64_t cache_bytes() const { return 0; }

 protected:
  Device() = default;
};

}  // namespace vparity
