#include "harness/run/request/launcher_choice.h"

#include <fmt/format.h>

#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

LauncherKind launcher_for(Transport transport) {
  return transport == Transport::threads ? LauncherKind::threads : LauncherKind::mpirun;
}

LauncherKind available_launcher() {
  const bool mpirun = built_with_mpi() && find_mpirun().found();
  return mpirun ? LauncherKind::mpirun : LauncherKind::threads;
}

LauncherKind wanted_launcher(const RunOptions& options) {
  if (options.launcher) return *options.launcher;
  if (options.plan.transport) return launcher_for(*options.plan.transport);
  return available_launcher();
}

}  // namespace

LauncherKind choose_launcher(const RunOptions& options) {
  const LauncherKind launcher = wanted_launcher(options);
  if (launcher == LauncherKind::mpirun && !built_with_mpi()) {
    throw UsageError(
        "this build has no MPI: use --launcher threads, or build where CMake finds MPI");
  }
  const auto transport = options.plan.transport;
  if (transport && launcher_for(*transport) != launcher) {
    throw UsageError(fmt::format("--transport does not go with --launcher {}", name_of(launcher)));
  }
  if (launcher == LauncherKind::threads && !options.launcher_args.empty()) {
    throw UsageError("--launcher-arg: the launcher threads takes no arguments");
  }
  return launcher;
}

Transport transport_under(LauncherKind launcher, std::optional<Transport> asked) {
  return launcher == LauncherKind::threads ? Transport::threads : asked.value_or(Transport::mpi);
}

std::string_view name_of(LauncherKind launcher) {
  return launcher == LauncherKind::threads ? "threads" : "mpirun";
}

}  // namespace vparity::harness
