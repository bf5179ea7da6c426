// What a case will need of the machine's memory, known before it runs.
#pragma once

#include <cstdint>
#include <string>

#include "harness/case/parameters.h"

namespace vparity::harness {

struct MemoryEstimate {
  std::int64_t largest_rank = 0;  ///< bytes
  std::int64_t all_ranks = 0;     ///< bytes, of all ranks together
};

/// Per rank: its shard of the logits, its gradient (none of its own if in place), what it keeps of
/// the reference, the gathered logits of a chunk in mode gather, the matrices a baseline keeps,
/// the statistics per row, and the process itself. Of widely strided rows only the touched pages
/// count.
MemoryEstimate estimate_memory(const CaseParameters& parameters);

/// "512 B", "1.5 KiB", "3.2 GiB": one decimal above bytes.
std::string bytes_text(std::int64_t bytes);

}  // namespace vparity::harness
