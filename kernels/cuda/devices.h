// The CUDA devices of this machine.
#pragma once

namespace vparity::cuda {

/// Devices that this process can use; 0 also where there is no driver.
int device_count();

}  // namespace vparity::cuda
