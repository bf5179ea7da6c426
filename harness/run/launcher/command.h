// The command line that starts a job's ranks.
#pragma once

#include "harness/run/launcher/child_process.h"
#include "harness/run/launcher/launcher.h"

namespace vparity::harness {

/// The worker by threads, or under the given mpirun with what that MPI needs to run in a container
/// and with more ranks than cores. Throws std::runtime_error saying what is missing.
Command job_command(const LaunchSpec& spec, const MpiLauncher& mpirun);

/// The file in which the ranks of a job record their progress
/// (harness/case/protocol/rank_states.h).
std::string states_file_of(const LaunchSpec& spec);

}  // namespace vparity::harness
