// The command line of this process.
#pragma once

#include <string>
#include <vector>

namespace vparity::harness {

/// As the shell passed it; CLI11 keeps no copy.
std::vector<std::string> command_line();

}  // namespace vparity::harness
