// CUDA kernels that do what CUDA leaves undefined, on a simulated device: what then becomes of a
// run. Known only to the test programs of this folder.
#pragma once

#include <memory>
#include <vector>

#include "harness/provider/provider.h"

namespace vparity::harness {

/// Named "crashing-cuda-WHAT". Every rank's kernel does it, in `forward`.
std::vector<std::unique_ptr<Provider>> crashing_cuda_providers();

}  // namespace vparity::harness
