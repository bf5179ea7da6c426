// The relations that need runs of their own.
#pragma once

#include <vector>

#include "harness/rank/check/verdict.h"
#include "harness/rank/execution/kernel_run.h"
#include "harness/rank/ranks/phases.h"

namespace vparity::harness {

/// Collective over the world of `run`, which is finished. Each relation that holds for what it ran
/// on, in the phase "relations"; of many rows only the first of each DP rank, as many as have about
/// 2^17 logits, two at least. Relations that the provider declines to run are left out.
std::vector<PlacedInvariant> check_relations(Phases& phases, const KernelRun& run);

}  // namespace vparity::harness
