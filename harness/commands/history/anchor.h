// The run of a pinned build beside another: what its times are divided by.
#pragma once

#include <string>

#include "reports/model/model.h"

namespace vparity::harness {

/// Throws UsageError naming `path` where `anchor` is the run itself, has no throughput, or ran on
/// another machine.
void require_anchor_of(const reports::Report& run, const reports::Report& anchor,
                       const std::string& path);

}  // namespace vparity::harness
