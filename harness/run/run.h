// `vparity run`: plan, start, watch, journal, report.
#pragma once

#include "harness/plan/plan.h"
#include "harness/run/group/group_job.h"
#include "harness/run/record/run_directory.h"
#include "harness/run/record/run_record.h"
#include "harness/run/request/run_options.h"

namespace vparity::harness {

/// What became of a plan's cases: each is decided, or left out with a reason.
struct PlanRun {
  RunRecord record;
  GroupEnd end;
};

/// Starts, watches and journals the cases of `plan`: makes the files of `directory` but for those
/// of the report. `expected` are excused. Throws as run_matrices.
PlanRun run_plan(const RunOptions& options, LauncherKind launcher, const Plan& plan,
                 const RunDirectory& directory, std::vector<reports::KnownFailure> expected = {});

/// Returns the exit code (docs/command-line.md). Throws UsageError before any work;
/// std::system_error if the run's own files cannot be written.
int run_matrices(const RunOptions& options);

}  // namespace vparity::harness
