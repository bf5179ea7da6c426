#include "device/cuda/cuda_launches.h"

#include <string>

#include "device/kernels/launches.cuh"
#include "vparity/errors.h"

namespace vparity::cuda {
namespace {

struct CudaLauncher {
  cudaStream_t stream;
  static constexpr std::int64_t most_blocks = std::int64_t{1} << 20;

  template <class Kernel, class Call>
  void start(Kernel kernel, std::int64_t blocks, const Call& call) const {
    const auto grid = static_cast<unsigned>(std::min(blocks, most_blocks));
    kernel<<<grid, threads_per_block, 0, stream>>>(call);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
      throw DeviceError(std::string("kernel launch failed: ") + cudaGetErrorString(error));
  }
};

}  // namespace

std::unique_ptr<Kernels> make_cuda_kernels(cudaStream_t stream) {
  return std::make_unique<LaunchedKernels<CudaLauncher>>(CudaLauncher{stream});
}

}  // namespace vparity::cuda
