// One job on one rank: read, refused or run.
#pragma once

#include <string>

#include "harness/case/protocol/protocol.h"
#include "reports/model/exit_code.h"
#include "vparity/communicator.h"

namespace vparity::harness {

/// Collective over `world`. `transport` is what the ranks talk through, for the event "ready";
/// empty for threads. Returns the exit code, the same on every rank, or throws on a rank that
/// cannot go on, whose job then has to be aborted.
reports::ExitCode run_job_on_rank(const std::string& job_file, const std::string& transport,
                                  Communicator& world, const EventWriter& events);

}  // namespace vparity::harness
