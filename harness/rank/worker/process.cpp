#include "harness/rank/worker/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace vparity::harness {

void die_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int take_standard_output() {
  const int own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (own < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    throw std::system_error(errno, std::generic_category(), "standard output");
  }
  return own;
}

}  // namespace vparity::harness
