// Several things timed in turn, so that what happens to the machine happens to all of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "vparity/communicator.h"

namespace vparity::harness {

/// Something whose time is taken on all ranks at once. `slot` says which of the buffers it works
/// on; they take turns, so that none is in a cache.
struct Subject {
  std::function<void(std::size_t slot)> run;
  /// Not timed; after each run, with the number of its iteration.
  std::function<void(std::int64_t iteration, std::size_t slot)> after = [](std::int64_t,
                                                                           std::size_t) {};
};

/// One iteration of one subject.
struct Sample {
  double slowest = 0;  ///< seconds, of the slowest rank
  double fastest = 0;
};

class Rounds {
 public:
  /// Everything is borrowed. The same subjects on every rank.
  Rounds(Communicator& world, const std::vector<Subject>& subjects, std::size_t slots)
      : world_(world), subjects_(subjects), slots_(slots) {}

  /// Collective: every subject `count` times, one after the other and in each round another one
  /// first, each after a barrier. The samples by subject, the same on every rank.
  std::vector<std::vector<Sample>> run(std::int64_t count);

 private:
  double time(const Subject& subject, std::int64_t iteration);

  Communicator& world_;
  const std::vector<Subject>& subjects_;
  std::size_t slots_;
  std::size_t next_slot_ = 0;
};

/// By subject and iteration.
std::vector<double> slowest_of(const std::vector<Sample>& samples);

struct SamplePlan {
  double half_width = 0.01;  ///< wanted of the median's interval, as a share of the median
  std::int64_t fewest = 10;
  std::int64_t most = 100;
  std::chrono::duration<double> time{
      15};  ///< fewer than `fewest`, but for two, where they take longer
};

/// How many rounds it takes for every subject, by those there have been.
std::int64_t rounds_wanted(const std::vector<std::vector<Sample>>& pilot, const SamplePlan& plan);

}  // namespace vparity::harness
