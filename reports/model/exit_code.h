// How every program and command ends, and which ending counts where several apply.
#pragma once

#include <vector>

namespace vparity::reports {

/// The exit codes of docs/command-line.md. Not a class: these are the integers that main() returns
/// and that reports hold.
enum ExitCode : int {
  exit_passed = 0,          ///< at least one case passed, the rest passed or were skipped
  exit_failed = 1,          ///< the gate says no
  exit_usage = 2,           ///< invalid command line or input, found before any work
  exit_infrastructure = 3,  ///< launch failed, a rank crashed, a file cannot be written
  exit_timeout = 4,         ///< a case ran into its time limit
  exit_inconclusive = 5,    ///< times that say nothing or cannot be compared; parity is fine
  exit_nothing_ran = 77,    ///< all cases were skipped, or there is too little to judge
};

/// 128 + signal, as shells report it.
ExitCode exit_by_signal(int signal);
bool is_by_signal(int exit_code);
/// Of a code by signal.
int signal_of(ExitCode code);

/// The code that counts: one by signal, then 2, 1, 4, 3, 5, 77, 0. Of two signals the first in
/// `applicable`, which is not empty and holds no other codes than these.
ExitCode first_in_precedence(const std::vector<ExitCode>& applicable);

}  // namespace vparity::reports
