// The parity cases of one world, one after the other.
#pragma once

#include "harness/case/protocol/protocol.h"
#include "vparity/communicator.h"

namespace vparity::harness {

/// Throws UsageError, on every rank alike, for a case that this world or this build cannot run.
void validate(const MatrixJob& job, int world);

/// Collective over `world`. One event "result" per case, whatever becomes of it; throws
/// CommunicationError if the ranks lost each other, after which the job cannot go on.
void run_parity_job(const MatrixJob& job, Communicator& world, const EventWriter& events);

}  // namespace vparity::harness
