// The operands of a case as an input file of `vparity eval`, so that a failure can be carried away
// and replayed.
#pragma once

#include <string>

#include "harness/case/operands.h"
#include "harness/case/parameters.h"

namespace vparity::harness {

/// Writes logits [T, V] in the case's dtype, labels [T] or [T, K], the upstream gradients that are
/// on, and dp_rows [DP] to `path`, a row at a time in O(V) memory. The file appears whole or not at
/// all. Throws UsageError or std::system_error naming the path.
void write_operands(const std::string& path, const CaseParameters& parameters,
                    const Operands& operands);

/// The command line that replays a case from the file that write_operands wrote.
std::string replay_command(const std::string& path, const CaseParameters& parameters);

}  // namespace vparity::harness
