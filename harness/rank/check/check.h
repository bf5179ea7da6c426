// One problem on one rank: run a provider on it and compare all it returns with the
// full-vocabulary reference. Shared by the parity worker and by `vparity eval`.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/rank/execution/kernel_run.h"
#include "harness/rank/execution/occurrence.h"
#include "harness/rank/execution/rank_outputs.h"
#include "harness/rank/ranks/process_grid.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// What is checked; the same on every rank.
struct Check {
  std::string name;  ///< of the problem, for messages
  KernelTask task;
  /// Whether the relations that need further runs are looked at too, unless it has failed already.
  bool relations = false;
};

/// The same on every rank, except the phases' seconds and `computed`.
struct CheckResult {
  /// Status passed, failed, error or skipped. Reason codes:
  ///   error:   argument_error and label_error (mistakes of the caller), communication_error,
  ///            out_of_memory, exception
  ///   skipped: unsupported
  ///   failed:  outside_bound, invariant, rank_disagreement, unwritten, inputs_modified,
  ///            guards_overwritten, whichever comes first; the text names everything that is wrong
  /// `wall_s` is left to the caller.
  reports::CaseOutcome outcome;
  Occurrence occurrence;                  ///< as counts; `outcome` has them as JSON
  std::vector<std::string> zero_outputs;  ///< outputs whose elements are all expected to round to 0
  std::unique_ptr<RankOutputs> computed;  ///< of this rank; set if the status is passed or failed
};

/// Hears on every rank that a phase begins.
using PhaseCallback = std::function<void(std::string_view phase)>;

/// How long a rank whose call threw waits for the others before it aborts the job.
inline constexpr std::chrono::milliseconds agreement_grace{5000};

/// Collective over the grid. Throws CommunicationError if the ranks could not come to agree.
CheckResult run_check(const Check& check, const ProcessGrid& grid, const PhaseCallback& on_phase,
                      std::chrono::milliseconds grace = agreement_grace);

}  // namespace vparity::harness
