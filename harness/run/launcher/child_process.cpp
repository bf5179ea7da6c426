#include "harness/run/launcher/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

namespace vparity::harness {
namespace {

using reports::FileDescriptor;

struct Pipe {
  FileDescriptor read_end;
  FileDescriptor write_end;
};

Pipe make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) reports::throw_errno("make", "a pipe");
  return {{ends[0], "pipe"}, {ends[1], "pipe"}};
}

void set_non_blocking(const FileDescriptor& file) {
  ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) | O_NONBLOCK);
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const auto& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Everything the child needs between fork and exec, where nothing may be allocated.
struct Start {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  int input, output, errors, failure;
  pid_t parent;
};

[[noreturn]] void become_program(const Start& start) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != start.parent) _exit(127);  // the parent ended before the line above
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  dup2(start.input, STDIN_FILENO);
  dup2(start.output, STDOUT_FILENO);
  dup2(start.errors, STDERR_FILENO);
  execve(start.arguments[0], start.arguments.data(), start.environment.data());
  const int error = errno;
  // A short write cannot happen, and there is nobody left to tell.
  [[maybe_unused]] const auto written = ::write(start.failure, &error, sizeof error);
  _exit(127);
}

// The pipe closes without data when exec succeeds.
void throw_if_not_started(const FileDescriptor& failure, const std::string& program) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(failure.get(), &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof error) return;
  errno = error;
  reports::throw_errno("start", program);
}

}  // namespace

std::vector<std::string> current_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) environment.emplace_back(*entry);
  return environment;
}

std::string ExitStatus::text() const {
  if (WIFEXITED(wait_status)) return fmt::format("exit status {}", WEXITSTATUS(wait_status));
  const int signal = WTERMSIG(wait_status);
  return fmt::format("signal {} ({})", signal, strsignal(signal));
}

ChildProcess::ChildProcess(const Command& command) : output_(-1, "pipe"), errors_(-1, "pipe") {
  FileDescriptor input("/dev/null", O_RDONLY);
  Pipe output = make_pipe(), errors = make_pipe(), failure = make_pipe();
  const Start start{pointers_to(command.arguments),
                    pointers_to(command.environment),
                    input.get(),
                    output.write_end.get(),
                    errors.write_end.get(),
                    failure.write_end.get(),
                    getpid()};
  pid_ = fork();
  if (pid_ < 0) reports::throw_errno("start", command.arguments[0]);
  if (pid_ == 0) become_program(start);
  failure.write_end.close();
  output_ = std::move(output.read_end);
  errors_ = std::move(errors.read_end);
  set_non_blocking(output_);
  set_non_blocking(errors_);
  try {
    throw_if_not_started(failure.read_end, command.arguments[0]);
  } catch (...) {
    ::waitpid(pid_, nullptr, 0);
    throw;
  }
}

ChildProcess::~ChildProcess() {
  if (exit_status()) return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

const std::optional<ExitStatus>& ChildProcess::exit_status() {
  int status = 0;
  if (!exit_status_ && ::waitpid(pid_, &status, WNOHANG) == pid_) exit_status_ = {status};
  return exit_status_;
}

}  // namespace vparity::harness
