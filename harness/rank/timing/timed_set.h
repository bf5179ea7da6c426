// Cases that differ in nothing but in how they are computed, timed against each other.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/case/protocol/protocol.h"
#include "harness/rank/ranks/process_grid.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// Hears, on every rank, that a case begins or, with a phase, how far it is.
struct TimingCallbacks {
  std::function<void(const JobCase&)> on_case;
  std::function<void(const JobCase&, std::string_view phase)> on_phase;
};

/// Collective over the grid; `cases` are of one setting (harness/case/setting.h). In turn with
/// the cases the memory itself is timed, reading the logits and copying them, which gives the
/// floors. One iteration of each case, chosen at random, is compared with the reference on some
/// rows. A case that fails while it is warmed up leaves the set; the others go on. Results in the
/// order of `cases`, which are of `job`, the same on every rank.
std::vector<reports::CaseOutcome> time_set(std::span<const JobCase> cases, const MatrixJob& job,
                                           const ProcessGrid& grid,
                                           const TimingCallbacks& callbacks);

}  // namespace vparity::harness
