// A device whose memory is the host's and whose kernels run on the CPU.
#pragma once

#include <memory>

#include "vparity/device.h"

namespace vparity::cuda {

class Kernels;

/// The kernels, each run by simt::launch before the call returns: for tests.
std::unique_ptr<Kernels> make_simulated_kernels();

/// A device with these kernels, or with the given ones. Every allocation is a host allocation
/// filled with NaN: so a sanitizer sees accesses outside it, and elements that were never written
/// are NaN.
std::unique_ptr<Device> make_simulated_device();
std::unique_ptr<Device> make_simulated_device(std::unique_ptr<Kernels> kernels);

}  // namespace vparity::cuda
