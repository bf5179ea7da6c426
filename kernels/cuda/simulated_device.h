// A device whose memory is the host's and whose kernels run on the CPU.
#pragma once

#include <memory>

#include "vparity/device.h"

namespace vparity::cuda {

/// The library's kernels by simt::launch, at once: for tests. Every allocation is one of the
/// host's, filled with NaN, so that a sanitizer sees what leaves it and what was never written
/// shows.
std::unique_ptr<Device> make_simulated_device();

}  // namespace vparity::cuda
