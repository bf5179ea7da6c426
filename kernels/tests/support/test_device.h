// The device that tests of the CUDA kernels work on.
#pragma once

#include <memory>

#include "vparity/device.h"

namespace vparity::testing {

/// A simulated device (simulated_test_device.cpp), or a CUDA device in the programs that link
/// cuda_test_device.cpp, for machines with GPUs.
std::unique_ptr<Device> make_test_device();

}  // namespace vparity::testing
