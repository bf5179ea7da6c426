// The CUDA devices of this machine. Installed if the library is built with CUDA. Programs that use
// it link and start without a driver.
#pragma once

#include <cstdint>
#include <string>

namespace vparity {

/// How many devices this process can use, and why there are none.
struct DevicePresence {
  int count = 0;
  std::string reason;  ///< empty where there is a device
};

/// Loads the driver for this process and asks it. Never throws.
DevicePresence cuda_device_presence();

struct CudaDeviceProperties {
  std::string name;
  std::string uuid;  ///< as nvidia-smi prints it: "GPU-1b0c..."
  std::int64_t memory_bytes = 0;
  int core_clock_mhz = 0;  ///< the highest
  int memory_clock_mhz = 0;
  int compute_capability = 0;  ///< 90 for 9.0
};

/// Properties of device `index` in [0, count). Throws DeviceError.
CudaDeviceProperties cuda_device_properties(int index);

/// CUDA versions such as "13.0". `driver` is the newest version that the driver supports; empty
/// without a driver.
struct CudaVersions {
  std::string runtime;
  std::string driver;
};
CudaVersions cuda_versions();

}  // namespace vparity
