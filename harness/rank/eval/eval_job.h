// The ranks' side of `vparity eval`.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/case/protocol/protocol.h"
#include "vparity/communicator.h"

namespace vparity::harness {

/// Collective over `world`, whose size is tp * dp of the job: checks the kernels on the tensors of
/// the input file, writes the output file if there is one, and says the outcome in one event
/// "output" (or "refused", for what the input or the options make impossible). Exceptions other
/// than UsageError, which every rank throws alike, are this rank's alone: abort the job.
///
///   {"event":"output","json":{...},"status":"passed"|"failed","reason":TEXT}  what eval prints
///   {"event":"output","json":null,"status":"error"|"skipped","reason":TEXT}
void run_eval_job(const nlohmann::json& job, Communicator& world, const EventWriter& events);

}  // namespace vparity::harness
