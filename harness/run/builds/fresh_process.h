// One run of a build, as a process of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/run/launcher/signal_queue.h"

namespace vparity::harness {

struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;  ///< that this program was told to stop by, and passed on; 0: none
};

/// Runs `words` to its end; what it prints goes into the file `log`. A signal is passed on, and
/// the process is waited for: it leaves a report of what it has done. Throws std::system_error.
ProcessEnd run_to_its_end(const std::vector<std::string>& words, const std::filesystem::path& log,
                          SignalQueue& interrupts);

}  // namespace vparity::harness
