// The kernels on a CUDA stream.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "device/kernels/kernels.h"

namespace vparity::cuda {

/// A call that the device refuses throws DeviceError. Later errors are thrown by the wait for the
/// stream.
std::unique_ptr<Kernels> make_cuda_kernels(cudaStream_t stream);

}  // namespace vparity::cuda
