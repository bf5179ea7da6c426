// Two runs against each other, as a relation between them demands.
#pragma once

#include "harness/rank/check/whole_run.h"
#include "harness/rank/element_comparison/deviation.h"
#include "harness/rank/relations/relation.h"

namespace vparity::harness {

/// Collective over the runs' world. Elements that the relation makes equal may differ by the bounds
/// of both together, in a gradient also by half an ulp of its type each; by nothing where the bits
/// must be the same, which bound 0 stands for.
Deviation compare_runs(const Relation& relation, WholeRun& first, WholeRun& second);

}  // namespace vparity::harness
