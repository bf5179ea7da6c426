// A CUDA device as a rank's Device. Present when the library is built with CUDA; a driver is needed
// by the calls alone.
#pragma once

#include <memory>

#include "vparity/device.h"

namespace vparity {

/// Device `index`, with a stream of its own. Throws DeviceError if it is not there.
std::unique_ptr<Device> make_cuda_device(int index);

/// The same over the caller's stream, a cudaStream_t of that device, which outlives it.
std::unique_ptr<Device> make_cuda_device(int index, void* stream);

}  // namespace vparity
