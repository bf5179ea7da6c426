// The device that tests of the CUDA kernels work on.
#pragma once

#include <memory>

#include "vparity/device.h"

namespace vparity::testing {

/// A simulated one, in simulated_test_device.cpp, which the linker leaves out of a test program
/// that brings cuda_test_device.cpp: that is for machines with GPUs.
std::unique_ptr<Device> make_test_device();

}  // namespace vparity::testing
