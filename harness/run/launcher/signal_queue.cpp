#include "harness/run/launcher/signal_queue.h"

#include <sys/signalfd.h>
#include <unistd.h>

namespace vparity::harness {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) {
    // A signal that is blocked waits even if it is ignored.
    if (signal != SIGHUP || !is_ignored(signal)) sigaddset(&set, signal);
  }
  return set;
}

reports::FileDescriptor open_queue(const sigset_t& signals) {
  const int fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd < 0) reports::throw_errno("open", "a signalfd");
  return {fd, "signalfd"};
}

}  // namespace

SignalQueue::SignalQueue(std::initializer_list<int> signals)
    : signals_(set_of(signals)), file_(open_queue(signals_)) {
  pthread_sigmask(SIG_BLOCK, &signals_, &previous_);
}

SignalQueue::~SignalQueue() { pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }

std::optional<int> SignalQueue::take() {
  signalfd_siginfo info{};
  if (::read(file_.get(), &info, sizeof info) != sizeof info) return std::nullopt;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace vparity::harness
