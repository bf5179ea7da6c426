// One group's worker job: from its job file to a status for each of its cases.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/run/reporter.h"
#include "harness/run/run_directory.h"
#include "harness/run/run_options.h"
#include "harness/run/run_record.h"

namespace vparity::harness {

/// What a group's job means for the run, beyond its cases' statuses.
struct GroupEnd {
  int signal = 0;                 ///< this process was told to stop
  bool refused = false;           ///< the ranks found a usage error
  bool failures_reached = false;  ///< --max-failures
  bool ended_late = false;        ///< all cases are decided, but the ranks would not end
  bool ended_badly = false;       ///< all cases are decided, but a rank then died
  bool stops_run() const { return signal != 0 || refused || failures_reached; }
};

/// Runs the cases that are not decided yet. Whatever the ranks do, each of the group's cases is
/// decided or left out with a reason when it returns.
GroupEnd run_group(const RunOptions& options, LauncherKind launcher, const Plan& plan,
                   const Group& group, const RunDirectory& directory, RunRecord& record,
                   Reporter& reporter);

/// "cpu-mpi-4": of files, and in messages.
std::string name_of(const Group& group);

}  // namespace vparity::harness
