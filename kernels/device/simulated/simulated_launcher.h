// Starts a kernel on the CPU.
#pragma once

#include <algorithm>
#include <cstdint>

#include "device/kernels/tiles.cuh"
#include "device/simt/launch.h"

namespace vparity::cuda {

struct SimulatedLauncher {
  /// Few, so that the loops of all kernels over their grid are tested.
  static constexpr std::int64_t most_blocks = 7;

  template <class Kernel, class Call>
  void start(Kernel kernel, std::int64_t blocks, const Call& call) const {
    const auto grid = static_cast<unsigned>(std::min(blocks, most_blocks));
    simt::launch(simt::dim3(grid), simt::dim3(threads_per_block), [&] { kernel(call); });
  }
};

}  // namespace vparity::cuda
