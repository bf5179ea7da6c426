#include "harness/run/builds/fresh_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "harness/io/file_descriptor.h"
#include "harness/run/launcher/child_process.h"
#include "reports/model/exit_code.h"

namespace vparity::harness {
namespace {

using reports::FileDescriptor;

/// What there is to read goes into the log; the stream is closed at its end.
void drain(FileDescriptor& stream, FileDescriptor& log) {
  std::array<char, 4096> buffer;
  while (stream.is_open()) {
    const auto count = ::read(stream.get(), buffer.data(), buffer.size());
    if (count > 0) {
      log.write(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    } else if (count == 0) {
      stream.close();
    } else {
      if (errno == EAGAIN || errno == EINTR) return;
      stream.close();
    }
  }
}

/// Until something is to be read, or for a short time: an end cannot be waited for.
void wait_for_news(ChildProcess& child, const SignalQueue& interrupts) {
  constexpr int patience_ms = 50;
  std::array<pollfd, 3> files{{{child.output().get(), POLLIN, 0},
                               {child.errors().get(), POLLIN, 0},
                               {interrupts.descriptor(), POLLIN, 0}}};
  ::poll(files.data(), files.size(), patience_ms);
}

int code_of(const ExitStatus& status) {
  if (WIFEXITED(status.wait_status)) return WEXITSTATUS(status.wait_status);
  return reports::exit_by_signal(WTERMSIG(status.wait_status));
}

}  // namespace

ProcessEnd run_to_its_end(const std::vector<std::string>& words, const std::filesystem::path& log,
                          SignalQueue& interrupts) {
  FileDescriptor file(log, O_WRONLY | O_CREAT | O_TRUNC);
  ChildProcess child({words, current_environment(), ""});
  ProcessEnd end;
  while (!child.exit_status()) {
    wait_for_news(child, interrupts);
    drain(child.output(), file);
    drain(child.errors(), file);
    if (const auto signal = interrupts.take()) {
      end.signal = *signal;
      ::kill(child.pid(), *signal);
    }
  }
  drain(child.output(), file);
  drain(child.errors(), file);
  end.exit_code = code_of(*child.exit_status());
  return end;
}

}  // namespace vparity::harness
