// The main of the test programs that mpirun starts.
#include <gtest/gtest.h>

#include <cstdio>
#include <exception>

#include "tests/support/run_ranks.h"
#include "vparity/mpi_communicator.h"

namespace vparity::testing {
namespace {

/// Lives until after MPI_Finalize, which a communicator has to bear.
Communicator& world() {
  static const std::unique_ptr<Communicator> all = make_mpi_communicator(MPI_COMM_WORLD);
  return *all;
}

/// One rank prints the tests; the others only what fails.
class FailurePrinter : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    const char* file = result.file_name() == nullptr ? "?" : result.file_name();
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", world().rank(), file, result.line_number(),
                 result.summary());
  }
};

void print_on_one_rank() {
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (world().rank() == 0) return;
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new FailurePrinter);
}

}  // namespace

void run_ranks(int size, const std::function<void(Communicator&)>& body) {
  const bool takes_part = world().rank() < size;
  const auto group = world().split(takes_part ? 0 : 1, world().rank());
  try {
    if (takes_part) body(*group);
  } catch (const std::exception& error) {
    world().abort(error.what());  // the others may wait for this rank
  }
}

}  // namespace vparity::testing

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const vparity::MpiSession session(&argc, &argv);
  vparity::testing::print_on_one_rank();
  return RUN_ALL_TESTS();
}
