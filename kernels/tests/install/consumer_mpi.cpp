// Links, and needs no mpirun to say so.
#include <vparity/mpi_communicator.h>

int main(int argc, char** argv) {
  if (argc == 1) return 0;
  const vparity::MpiSession session(&argc, &argv);
  return vparity::make_mpi_communicator(MPI_COMM_WORLD)->size() == 1 ? 0 : 1;
}
