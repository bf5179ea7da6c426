// What `vparity doctor` asks this machine beyond harness/machine, and whether ranks can be started.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/launcher/launcher.h"

namespace vparity::harness {

/// Processors that are online, whether or not this process may use them.
int online_cores();

/// The cgroup's limit on processor time in cores; nothing if it has none.
std::optional<double> cgroup_cores();

/// Models of the NVIDIA GPUs that the loaded driver knows.
std::vector<std::string> gpu_models();

/// Version of the NCCL library that the system's loader finds, such as "2.18.5"; nothing if it
/// finds none.
std::optional<std::string> nccl_version();

struct LaunchTrial {
  bool ok = false;
  std::string message;   ///< what went wrong; empty if nothing did
  nlohmann::json ready;  ///< the ranks' event "ready"; null if it did not come
};

/// Starts two ranks of `worker` (empty: vparity-worker beside this program) on a job without cases.
LaunchTrial try_launch(LauncherKind kind, const std::string& worker = "");

}  // namespace vparity::harness
