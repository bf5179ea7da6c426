// The library's kernels on a CUDA stream.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "device/kernels/kernels.h"

namespace vparity::cuda {

/// A call that a device refuses throws DeviceError; what goes wrong later shows when the stream is
/// waited for.
std::unique_ptr<Kernels> make_cuda_kernels(cudaStream_t stream);

}  // namespace vparity::cuda
