#include "harness/commands/doctor/bandwidth.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "harness/machine/passes.h"
#include "harness/machine/prefetch_distance.h"

namespace vparity::harness {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// Buffers of one thread. They are written before they are read, because untouched pages are all
/// the same page of zeros.
struct Buffers {
  explicit Buffers(std::size_t bytes) : source(bytes, std::byte{1}), target(bytes, std::byte{2}) {}

  std::vector<std::byte> source;
  std::vector<std::byte> target;
  volatile std::uint64_t seen = 0;  ///< keeps the compiler from removing a pass
};

void read_buffers(Buffers& buffers, std::size_t prefetch_distance) {
  buffers.seen = read_pass(buffers.source, prefetch_distance);
}

void copy_buffers(Buffers& buffers, std::size_t prefetch_distance) {
  copy_pass(buffers.source, buffers.target, prefetch_distance);
}

/// Seconds of the fastest pass of all threads together. The prefetch distances take turns.
double fastest_pass(int threads, std::size_t thread_bytes, Seconds time,
                    const std::function<void(Buffers&, std::size_t)>& pass) {
  std::barrier sync(threads);
  std::atomic<bool> enough = false;
  double fastest = time.count();
  const auto body = [&](int thread) {
    Buffers buffers(thread_bytes);
    const auto deadline = Clock::now() + time;
    pass(buffers, 0);
    for (std::size_t turn = 0; !enough; ++turn) {
      sync.arrive_and_wait();
      const auto start = Clock::now();
      pass(buffers, prefetch_distances[turn % prefetch_distances.size()]);
      sync.arrive_and_wait();
      if (thread == 0) {
        fastest = std::min(fastest, Seconds(Clock::now() - start).count());
        enough = Clock::now() > deadline;
      }
      sync.arrive_and_wait();  // all threads see the same answer
    }
  };
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(body, thread);
  body(0);
  return fastest;
}

}  // namespace

Bandwidth measure_bandwidth(int threads, std::size_t thread_bytes, Seconds time) {
  const double gigabytes = static_cast<double>(thread_bytes) * threads / 1e9;
  return {threads, gigabytes / fastest_pass(threads, thread_bytes, time, read_buffers),
          2 * gigabytes / fastest_pass(threads, thread_bytes, time, copy_buffers)};
}

}  // namespace vparity::harness
