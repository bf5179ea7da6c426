// A CUDA device as a rank's Device. Installed if the library is built with CUDA. Linking needs no
// driver; the calls do.
#pragma once

#include <memory>

#include "vparity/device.h"

namespace vparity {

/// Device `index`, with its own stream. Throws DeviceError if there is no such device.
std::unique_ptr<Device> make_cuda_device(int index);

/// The same on the caller's stream, a cudaStream_t of that device that outlives the Device.
std::unique_ptr<Device> make_cuda_device(int index, void* stream);

}  // namespace vparity
