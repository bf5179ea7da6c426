// Which launcher a run uses, and which transport its cases then have.
#pragma once

#include "harness/run/request/run_options.h"

namespace vparity::harness {

/// The launcher that --launcher names; else the one that --transport needs; else mpirun if this
/// build and this machine have it; else threads. Throws UsageError if this build cannot use the
/// launcher or if it does not fit --transport.
LauncherKind choose_launcher(const RunOptions& options);

/// The `transport` of every case under this launcher. `asked` decides where the launcher leaves a
/// choice (nccl under mpirun).
Transport transport_under(LauncherKind launcher, std::optional<Transport> asked);

/// The value of --launcher.
std::string_view name_of(LauncherKind launcher);

}  // namespace vparity::harness
