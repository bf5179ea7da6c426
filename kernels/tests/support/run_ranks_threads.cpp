#include "tests/support/run_ranks.h"
#include "vparity/thread_communicator.h"

namespace vparity::testing {

void run_ranks(int size, const std::function<void(Communicator&)>& body) {
  run_thread_ranks(size, body);
}

}  // namespace vparity::testing
