// A device whose memory is the host's and whose kernels run on the CPU.
#pragma once

#include <memory>

#include "vparity/device.h"

namespace vparity::cuda {

class Kernels;

/// The library's kernels by simt::launch, at once: for tests.
std::unique_ptr<Kernels> make_simulated_kernels();

/// A device with these kernels, or with others. Every allocation is one of the host's, filled with
/// NaN, so that a sanitizer sees what leaves it and what was never written shows.
std::unique_ptr<Device> make_simulated_device();
std::unique_ptr<Device> make_simulated_device(std::unique_ptr<Kernels> kernels);

}  // namespace vparity::cuda
