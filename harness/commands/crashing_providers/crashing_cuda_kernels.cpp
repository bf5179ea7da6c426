#include "harness/commands/crashing_providers/crashing_cuda_kernels.h"

#include "harness/provider/plain/cuda/plain_cuda_provider.h"
#include "harness/provider/plain/cuda/plain_launches.cuh"

namespace vparity::harness {
namespace {

// A comment names the provider whose report has to name its line, or one of its lines.

__global__ void divergent_barrier(cuda::SumBlocks) {
  if (threadIdx.x == 0) return;
  __syncthreads();  // crashing-cuda-divergent-barrier
}

__global__ void two_barriers(cuda::SumBlocks) {
  if (threadIdx.x < cuda::threads_per_block / 2) {  // NOLINT(bugprone-branch-clone)
    __syncthreads();                                // crashing-cuda-two-barriers
  } else {
    __syncthreads();  // crashing-cuda-two-barriers
  }
}

__global__ void exited_lane(cuda::SumBlocks call) {
  if (threadIdx.x % cuda::warp_size == 1) return;
  call.blocks[0].value.s = __shfl_xor_sync(cuda::all_lanes, 1.0, 1);  // crashing-cuda-exited-lane
}

template <void (*kKernel)(cuda::SumBlocks)>
struct CrashingCudaKernels : PlainCudaKernels {
  using PlainCudaKernels::PlainCudaKernels;
  void sum_blocks(const cuda::SumBlocks& call) override { plain_cuda::start(kKernel, 1, call); }
};

template <void (*kKernel)(cuda::SumBlocks)>
std::unique_ptr<Provider> crashing_cuda_provider(std::string_view name) {
  return std::make_unique<PlainCudaProvider<CrashingCudaKernels<kKernel>>>(name);
}

}  // namespace

std::vector<std::unique_ptr<Provider>> crashing_cuda_providers() {
  std::vector<std::unique_ptr<Provider>> sets;
  sets.push_back(crashing_cuda_provider<divergent_barrier>("crashing-cuda-divergent-barrier"));
  sets.push_back(crashing_cuda_provider<two_barriers>("crashing-cuda-two-barriers"));
  sets.push_back(crashing_cuda_provider<exited_lane>("crashing-cuda-exited-lane"));
  return sets;
}

}  // namespace vparity::harness
