// Ranks as MPI processes. Installed if the library is built with MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "vparity/communicator.h"

namespace vparity {

/// Largest count passed to one MPI call; more bytes travel through a derived datatype.
inline constexpr std::size_t mpi_count_limit = std::size_t{1} << 30;

/// A communicator over a duplicate of `comm`, which is freed with the object unless MPI is
/// finalized by then. Collective over `comm`. Waiting ranks poll and yield. Only tests of the
/// large-count path lower `count_limit`.
std::unique_ptr<Communicator> make_mpi_communicator(MPI_Comm comm,
                                                    std::size_t count_limit = mpi_count_limit);

/// Calls MPI_Init_thread and, in the destructor, MPI_Finalize. MPI errors become error codes
/// instead of ending the job. Throws CommunicationError if MPI was initialised before.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
};

}  // namespace vparity
