// From the samples of a set to what the report says of each of its cases.
#pragma once

#include <vector>

#include "harness/rank/timing/timed_case.h"
#include "reports/model/timing.h"

namespace vparity::harness {

/// What all cases of a set have in common.
struct TimingContext {
  MemoryRate rate;  ///< of one rank, while all others do the same
  RankShape shape;  ///< of the rank with most to do
  std::int64_t tokens = 0;
  std::int64_t warmup = 0;
  bool oversubscribed = false;
  bool cache_resident = false;
};

/// By the times of reading the logits and of copying them, of the rank that has most; ranks that
/// share a core share its rate. Collective.
MemoryRate memory_rate(const Slot& slot, const std::vector<Sample>& read,
                       const std::vector<Sample>& copy, Communicator& world, int cores);

/// A case with its samples.
struct MeasuredCase {
  const TimedCase* timed;
  const std::vector<Sample>* samples;
};

/// `all` are those of the set.
reports::Timing timing_of(const MeasuredCase& own, const std::vector<MeasuredCase>& all,
                          const TimingContext& context);

}  // namespace vparity::harness
