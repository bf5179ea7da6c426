// What `vparity run` was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.h"
#include "harness/run/launcher/launcher.h"

namespace vparity::harness {

/// `silent`: only warnings, for a caller that reports the cases itself.
enum class Verbosity { silent, quiet, normal, verbose };

struct RunOptions {
  std::vector<std::string> matrix_files;
  PlanOptions plan;
  std::string out;                       ///< empty: vparity-out/<matrix>-<UTC time>
  std::optional<LauncherKind> launcher;  ///< nothing: chosen by what there is
  std::vector<std::string> launcher_args;
  TimeLimits limits;
  bool resume = false;
  std::optional<int> max_failures;
  std::string save_failing;    ///< directory; empty: none
  std::string known_failures;  ///< file; empty: none
  bool strict_skips = false;
  bool require_device = false;
  Verbosity verbosity = Verbosity::normal;
  std::vector<std::string> argv;
  std::string worker;  ///< as in LaunchSpec
};

}  // namespace vparity::harness
