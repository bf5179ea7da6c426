// Starts a program without a shell and reads its output.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

struct Command {
  std::vector<std::string> arguments;    ///< the first one is the program's path
  std::vector<std::string> environment;  ///< NAME=value
  std::string note;                      ///< for the log: the changes to the environment
};

/// The environment of this process.
std::vector<std::string> current_environment();

/// How a process ended, in words: "exit status 3", "signal 11 (Segmentation fault)".
struct ExitStatus {
  int wait_status = 0;
  bool success() const { return wait_status == 0; }
  std::string text() const;
};

/// Standard input is /dev/null; both outputs are non-blocking pipes. The child has a process group
/// of its own, no blocked signals, and is killed when this thread ends.
class ChildProcess {
 public:
  /// Throws std::system_error naming the program if it cannot be started.
  explicit ChildProcess(const Command& command);
  /// Kills the process group and reaps the child if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  reports::FileDescriptor& output() { return output_; }
  reports::FileDescriptor& errors() { return errors_; }

  /// Reaps the child if it has ended.
  const std::optional<ExitStatus>& exit_status();

 private:
  pid_t pid_ = -1;
  reports::FileDescriptor output_;
  reports::FileDescriptor errors_;
  std::optional<ExitStatus> exit_status_;
};

}  // namespace vparity::harness
