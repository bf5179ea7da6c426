// What a worker arranges with the system before it does anything else.
#pragma once

namespace vparity::harness {

/// Asks the system to end this process when its launcher dies, so that no rank outlives it.
void die_with_parent();

/// Moves standard output to a descriptor of its own, which is returned, and sends what anything
/// else (kernels, MPI) prints there to standard error. Throws std::system_error.
int take_standard_output();

}  // namespace vparity::harness
