// Memory of a device, freed with its object.
#pragma once

#include <cstddef>
#include <utility>

#include "vparity/device.h"

namespace vparity {

/// Owns one allocation of a Device, which must outlive it.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(Device& device) : device_(&device) {}
  ~DeviceBuffer() { release(); }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : device_(other.device_),
        data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  /// Room for at least `count` elements. The content is lost if the buffer grows.
  template <class T>
  T* resize(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (data_ == nullptr || bytes_ < bytes) {
      release();
      data_ = device_->allocate(bytes);
      bytes_ = bytes;
    }
    return as<T>();
  }

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }

 private:
  void release() noexcept {
    if (data_ != nullptr) device_->release(data_);
    data_ = nullptr;
  }

  Device* device_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace vparity
