// The memory that timed calls work on, on one rank.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/rank/execution/rank_inputs.h"
#include "harness/rank/execution/rank_outputs.h"

namespace vparity::harness {

/// One call's operands and results.
struct Slot {
  RankInputs inputs;
  RankOutputs outputs;

  /// The floors: all logits read; as many bytes of them copied to the gradient's memory as both
  /// have.
  void read(std::size_t prefetch_distance) const;
  void copy(std::size_t prefetch_distance);

  /// As a provider's calls are given it.
  CallMemory call_memory();

  double logits_bytes() const;
  double copied_bytes() const;
};

/// How many slots it takes for what a rank works on to have left the last-level cache when its turn
/// comes again, with `world` ranks sharing that cache.
struct SlotCount {
  std::size_t slots = 1;
  bool cache_resident = false;  ///< more would have been needed
};
SlotCount slots_needed(double bytes_per_slot, int world, std::int64_t cache_bytes);

}  // namespace vparity::harness
