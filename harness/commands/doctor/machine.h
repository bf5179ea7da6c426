// What this machine and this build have, besides what harness/machine says.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vparity::harness {

/// Processors that are switched on, whether or not this process may use them.
int online_cores();

/// The cgroup's limit on processor time, in cores; nothing if there is none.
std::optional<double> cgroup_cores();

/// Models of the NVIDIA GPUs whose driver is loaded.
std::vector<std::string> gpu_models();

/// "2.18.5" of the NCCL library that the system's loader finds; nothing if it finds none.
std::optional<std::string> nccl_version();

}  // namespace vparity::harness
