// Finds the rank that made a job hang or die, from its log and its rank states.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/case/protocol/rank_states.h"

namespace vparity::harness {

struct EvidenceOfEnd {
  std::string_view log;           ///< the end of the log of ranks and launcher
  std::vector<RankState> states;  ///< empty: not known
  std::string_view running_case;  ///< empty: none
  std::string_view phase;         ///< rank 0's
};

/// "first failing rank 1, in phase forward: signal 9 (Killed)"; empty if nothing tells. The rank is
/// the one that the launcher blames, else the one that aborted the job, else the first one that
/// said what went wrong, else the one that the others wait for.
std::string first_failing_rank(const EvidenceOfEnd& evidence);

}  // namespace vparity::harness
