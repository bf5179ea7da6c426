// Which CUDA devices there are. Present when the library is built with CUDA; nothing here needs a
// driver to link or to start.
#pragma once

#include <cstdint>
#include <string>

namespace vparity {

/// How many devices this process can use, and if none, why.
struct DevicePresence {
  int count = 0;
  std::string reason;  ///< empty where there is a device
};

/// Asks the driver, and starts it for this process. Never throws.
DevicePresence cuda_device_presence();

struct CudaDeviceProperties {
  std::string name;
  std::string uuid;  ///< as nvidia-smi prints it: "GPU-1b0c..."
  std::int64_t memory_bytes = 0;
  int core_clock_mhz = 0;  ///< the highest
  int memory_clock_mhz = 0;
  int compute_capability = 0;  ///< 90 for 9.0
};

/// Of device `index` of those counted. Throws DeviceError.
CudaDeviceProperties cuda_device_properties(int index);

/// CUDA versions, "13.0". `driver`: the newest that the driver supports; empty without a driver.
struct CudaVersions {
  std::string runtime;
  std::string driver;
};
CudaVersions cuda_versions();

}  // namespace vparity
