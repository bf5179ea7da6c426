#include "harness/machine/prefetch_distance.h"

#include <algorithm>
#include <chrono>

namespace vparity::harness {

std::size_t best_prefetch_distance(const std::function<void(std::size_t)>& pass, int rounds) {
  using Clock = std::chrono::steady_clock;
  std::array<Clock::duration, prefetch_distances.size()> fastest;
  fastest.fill(Clock::duration::max());
  pass(prefetch_distances.front());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < prefetch_distances.size(); ++i) {
      const auto start = Clock::now();
      pass(prefetch_distances[i]);
      fastest[i] = std::min(fastest[i], Clock::now() - start);
    }
  }
  const auto best = std::ranges::min_element(fastest) - fastest.begin();
  return prefetch_distances[static_cast<std::size_t>(best)];
}

}  // namespace vparity::harness
