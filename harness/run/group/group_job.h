// One group's cases on their ranks, in as many jobs as it takes.
#pragma once

#include <string>

#include "harness/run/record/run_directory.h"
#include "harness/run/record/run_record.h"
#include "harness/run/request/run_options.h"
#include "harness/run/terminal/reporter.h"

namespace vparity::harness {

/// How a group's jobs ended, beside its cases' statuses.
struct GroupEnd {
  int signal = 0;                 ///< this process was told to stop
  bool refused = false;           ///< the ranks found a usage error
  bool failures_reached = false;  ///< --max-failures
  bool ended_late = false;        ///< between two cases, or after the last, ranks hung
  bool ended_badly = false;       ///< between two cases, or after the last, a rank died
  bool stops_run() const { return signal != 0 || refused || failures_reached; }
};

/// Runs the cases that are not decided yet. If ranks hang or die in a case, the case is a timeout
/// or crashed, and a new job continues with the next case. Two jobs in a row whose ranks do not
/// reach their first case end the group. When this returns, each case is decided, unless the run
/// stops.
GroupEnd run_group(const RunOptions& options, LauncherKind launcher, const Plan& plan,
                   const Group& group, const RunDirectory& directory, RunRecord& record,
                   Reporter& reporter);

/// "cpu-mpi-4", "throughput-cpu-mpi-4": of files, and in messages.
std::string name_of(const Group& group);

}  // namespace vparity::harness
