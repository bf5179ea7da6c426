// Work whose parts need nothing of each other, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace vparity::reports {

/// Calls `work(i)` once for each i below `count`, on several threads at once. What a call throws
/// comes out of here, once all threads have ended.
template <class Work>
void for_each_index(std::size_t count, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t threads =
      std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), count);
  std::vector<std::future<void>> others;
  for (std::size_t k = 1; k < threads; ++k) others.push_back(std::async(std::launch::async, take));
  take();
  for (auto& other : others) other.get();
}

}  // namespace vparity::reports
