#include "harness/doctor/bandwidth.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

namespace vparity::harness {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// What one thread passes over. Written once before it is read: untouched pages are all the same
/// page of zeros.
struct Buffers {
  explicit Buffers(std::size_t bytes)
      : source(bytes / sizeof(std::uint64_t), 1), target(source.size(), 2) {}
  std::size_t bytes() const { return source.size() * sizeof(std::uint64_t); }

  std::vector<std::uint64_t> source;
  std::vector<std::uint64_t> target;
  volatile std::uint64_t seen = 0;  ///< keeps the compiler from leaving a pass out
};

void read_pass(Buffers& buffers) {
  buffers.seen = std::reduce(buffers.source.begin(), buffers.source.end(), std::uint64_t{0});
}

void copy_pass(Buffers& buffers) {
  std::memcpy(buffers.target.data(), buffers.source.data(), buffers.bytes());
  buffers.seen = buffers.target.back();
}

/// Seconds of the fastest pass of all threads together.
double fastest_pass(int threads, std::size_t thread_bytes, Seconds time,
                    const std::function<void(Buffers&)>& pass) {
  std::barrier sync(threads);
  std::atomic<bool> enough = false;
  double fastest = time.count();
  const auto body = [&](int thread) {
    Buffers buffers(thread_bytes);
    const auto deadline = Clock::now() + time;
    pass(buffers);
    while (!enough) {
      sync.arrive_and_wait();
      const auto start = Clock::now();
      pass(buffers);
      sync.arrive_and_wait();
      if (thread == 0) {
        fastest = std::min(fastest, Seconds(Clock::now() - start).count());
        enough = Clock::now() > deadline;
      }
      sync.arrive_and_wait();  // all see the same answer
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
  return {threads, gigabytes / fastest_pass(threads, thread_bytes, time, read_pass),
          2 * gigabytes / fastest_pass(threads, thread_bytes, time, copy_pass)};
}

}  // namespace vparity::harness
