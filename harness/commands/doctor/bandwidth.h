// Memory bandwidth of this machine, measured in a moment: enough to see what kernels can reach.
#pragma once

#include <chrono>

namespace vparity::harness {

/// Of all threads together, in 1e9 bytes per second; the best of several passes.
struct Bandwidth {
  int threads = 1;
  double read_gbps = 0;
  double copy_gbps = 0;  ///< bytes read plus bytes written
};

/// Each thread passes over its own buffers of `thread_bytes` bytes. Each figure takes about `time`.
Bandwidth measure_bandwidth(int threads, std::size_t thread_bytes,
                            std::chrono::duration<double> time);

}  // namespace vparity::harness
