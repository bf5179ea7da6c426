#include "harness/rank/worker/mpi_world.h"

#ifdef VPARITY_HAVE_MPI
#include <mpi.h>

#include <string_view>

#include "vparity/mpi_communicator.h"
#else
#include <stdexcept>
#endif

namespace vparity::harness {

#ifdef VPARITY_HAVE_MPI

namespace {

/// The first line of what the library calls itself.
std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string_view all(text);  // not by `length`, in which Open MPI counts the final zero
  return std::string(all.substr(0, all.find('\n')));
}

}  // namespace

int with_mpi_world(int argc, char** argv,
                   const std::function<int(Communicator&, const std::string&)>& body) {
  const MpiSession session(&argc, &argv);
  const auto world = make_mpi_communicator(MPI_COMM_WORLD);
  return body(*world, library_version());
}

#else

int with_mpi_world(int, char**, const std::function<int(Communicator&, const std::string&)>&) {
  throw std::runtime_error("this build has no MPI; use --threads N");
}

#endif

}  // namespace vparity::harness
