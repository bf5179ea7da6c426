// The throughput cases of one world, those of one setting at a time.
#pragma once

#include "harness/case/protocol/protocol.h"
#include "vparity/communicator.h"

namespace vparity::harness {

/// Collective over `world`. One event "result" per case, whatever becomes of it; throws
/// CommunicationError if the ranks lost each other, after which the job cannot go on.
void run_throughput_job(const MatrixJob& job, Communicator& world, const EventWriter& events);

}  // namespace vparity::harness
