#include <cuda_runtime_api.h>

#include "cuda/devices.h"

namespace vparity::cuda {

int device_count() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

}  // namespace vparity::cuda
