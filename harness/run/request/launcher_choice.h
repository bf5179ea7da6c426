// Which launcher a run takes, and how its cases then talk.
#pragma once

#include "harness/run/request/run_options.h"

namespace vparity::harness {

/// The one asked for; else the one that --transport needs; else mpirun if this build and this
/// machine have it, else threads. Throws UsageError if the launcher is not offered or does not go
/// with --transport.
LauncherKind choose_launcher(const RunOptions& options);

/// How ranks talk that this launcher starts: the `transport` of every case. `asked` is kept where
/// the launcher leaves a choice (nccl under mpirun).
Transport transport_under(LauncherKind launcher, std::optional<Transport> asked);

/// The value of --launcher.
std::string_view name_of(LauncherKind launcher);

}  // namespace vparity::harness
