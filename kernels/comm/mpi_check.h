// The check around every MPI call that returns an error code.
#pragma once

#include <mpi.h>

namespace vparity {

/// Throws CommunicationError with the call, MPI's own text, file and line, unless `code` is
/// MPI_SUCCESS.
void check_mpi(int code, const char* call, const char* file, int line);

/// The same for destructors: writes the line to standard error instead of throwing.
void log_mpi(int code, const char* call, const char* file, int line) noexcept;

}  // namespace vparity

#define VPARITY_MPI_CHECK(call) ::vparity::check_mpi((call), #call, __FILE__, __LINE__)
#define VPARITY_MPI_LOG(call) ::vparity::log_mpi((call), #call, __FILE__, __LINE__)
