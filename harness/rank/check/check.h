// One problem on one rank: run a provider on it and compare all it returns with the
// full-vocabulary reference. Shared by the parity worker and by `vparity eval`.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
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

/// The same on every rank, but for `computed`.
struct CheckResult {
  reports::Status status = reports::Status::not_run;  ///< passed, failed, error or skipped
  /// Codes of `error`: argument_error and label_error, which are the caller's doing;
  /// communication_error, out_of_memory, exception. Of `skipped`: unsupported. Of `failed`:
  /// outside_bound, invariant, rank_disagreement, unwritten, inputs_modified, guards_overwritten,
  /// whichever comes first; the text names all that is wrong.
  std::optional<reports::Reason> reason;
  /// Where it ended: inputs, forward, backward, reference, compare, relations, done.
  std::string phase;
  std::map<std::string, double> phases_s;  ///< on this rank
  std::vector<reports::OutputResult> outputs;
  std::vector<std::string> zero_outputs;  ///< outputs with elements, all expected to round to 0
  std::vector<reports::Invariant> invariants;
  bool rank_agreement = true;
  bool inputs_unchanged = true;
  Occurrence occurrence;
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
