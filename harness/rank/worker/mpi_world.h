// The world of an MPI job.
#pragma once

#include <functional>
#include <string>

#include "vparity/communicator.h"

namespace vparity::harness {

/// Initialises MPI, runs `body` on this process's rank of the world with the MPI library's name and
/// version, and finalises it. Returns what `body` does. Throws std::runtime_error in a build
/// without MPI.
int with_mpi_world(int argc, char** argv,
                   const std::function<int(Communicator&, const std::string&)>& body);

}  // namespace vparity::harness
