// Lets the same test body run on threads and under mpirun: each test program links one of the
// libraries vparity_run_ranks_threads and vparity_run_ranks_mpi.
#pragma once

#include <functional>

#include "vparity/communicator.h"

namespace vparity::testing {

/// Most ranks that a test may ask for; the MPI programs are started with this many.
inline constexpr int max_ranks = 8;

/// Runs `body` on `size` ranks at once, each with its communicator. A body that throws fails the
/// test.
void run_ranks(int size, const std::function<void(Communicator&)>& body);

}  // namespace vparity::testing
