// Runs a build in a new process.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/run/launcher/signal_queue.h"

namespace vparity::harness {

struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;  ///< the stop signal that was forwarded to the process; 0: none
};

/// Runs `words` to its end and writes its output to the file `log`. A signal is forwarded, and the
/// process can still write its report before it ends. Throws std::system_error.
ProcessEnd run_to_its_end(const std::vector<std::string>& words, const std::filesystem::path& log,
                          SignalQueue& interrupts);

}  // namespace vparity::harness
