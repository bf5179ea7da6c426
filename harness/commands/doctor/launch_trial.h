// Whether ranks can be started here, by starting some.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/run/launcher/launcher.h"

namespace vparity::harness {

struct LaunchTrial {
  bool ok = false;
  std::string message;   ///< what went wrong; empty if nothing did
  nlohmann::json ready;  ///< the ranks' event "ready"; null if it did not come
};

/// Starts two ranks of `worker` (empty: vparity-worker beside this program) on a job without cases.
LaunchTrial try_launch(LauncherKind kind, const std::string& worker = "");

}  // namespace vparity::harness
