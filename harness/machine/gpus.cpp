#include "harness/machine/gpus.h"

#if VPARITY_WITH_CUDA
#include "vparity/cuda_presence.h"
#endif

namespace vparity::harness {

using nlohmann::ordered_json;

#if VPARITY_WITH_CUDA

namespace {

ordered_json gpu_json(const CudaDeviceProperties& gpu) {
  return {{"name", gpu.name},
          {"uuid", gpu.uuid},
          {"memory_bytes", gpu.memory_bytes},
          {"clocks", {{"core_mhz", gpu.core_clock_mhz}, {"memory_mhz", gpu.memory_clock_mhz}}}};
}

}  // namespace

Gpus find_gpus() {
  const DevicePresence present = cuda_device_presence();
  return {true, VPARITY_WITH_NCCL, present.count, present.reason};
}

ordered_json describe_gpus() {
  auto gpus = ordered_json::array();
  for (int index = 0; index < cuda_device_presence().count; ++index)
    gpus.push_back(gpu_json(cuda_device_properties(index)));
  return gpus;
}

ordered_json cuda_libraries() {
  const CudaVersions versions = cuda_versions();
  const auto driver = versions.driver.empty() ? ordered_json() : ordered_json(versions.driver);
  return {{"runtime", versions.runtime}, {"driver", driver}};
}

#else

Gpus find_gpus() { return {.reason = "this build has no CUDA"}; }

ordered_json describe_gpus() { return ordered_json::array(); }

ordered_json cuda_libraries() { return {{"runtime", nullptr}, {"driver", nullptr}}; }

#endif

}  // namespace vparity::harness
