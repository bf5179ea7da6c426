// Starts a group's ranks, watches them against the clock, and ends them whatever state they are in.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "harness/case/protocol/protocol.h"

namespace vparity::harness {

enum class LauncherKind { threads, mpirun };

/// Each phase of a job has its own limit.
struct TimeLimits {
  std::chrono::duration<double> launch{60};    ///< from the start to the event "ready"
  std::chrono::duration<double> per_case{60};  ///< from one case's begin to its end
  std::chrono::duration<double> tear_down{
      10};  ///< from the last event, or from SIGTERM, to the end of all processes
};

struct LaunchSpec {
  LauncherKind kind = LauncherKind::threads;
  std::vector<std::string> launcher_args;
  int ranks = 1;
  std::string worker;  ///< the program that ranks run; empty: vparity-worker beside this program
  std::string mpirun = {};  ///< the program that starts them; empty: as find_mpirun() finds it
  std::string job_file;
  std::string log_file;  ///< everything the ranks and the launcher say on standard error
  TimeLimits limits;
};

enum class JobEnd {
  done,           ///< every case reported, all ranks ended with 0
  refused,        ///< the ranks found a usage error
  launch_failed,  ///< no "ready": the launcher is missing, failed, or took too long
  timeout,        ///< a case, or the tear-down, ran into its limit
  crashed,        ///< the job ended without "done"
  interrupted     ///< this process got SIGINT, SIGTERM or SIGHUP
};

struct JobOutcome {
  JobEnd end = JobEnd::done;
  std::string message = {};  ///< what happened, with the last lines of the log where that helps
  std::string running_case = {};  ///< id of the case that was running; empty: none
  std::string phase = {};         ///< its last phase
  int signal = 0;  ///< that stop signal if this process got one meanwhile, whatever the end; else 0
};

/// Runs one job to its end; `on_event` sees every event in order. No process of the job is alive
/// afterwards, whatever it does; what `on_event` throws is passed on after that. Throws
/// std::system_error if the log cannot be written. One job at a time per process.
JobOutcome run_job(const LaunchSpec& spec, const std::function<void(const Event&)>& on_event);

/// Whether this build's worker can run under mpirun.
bool built_with_mpi();

/// mpirun as it was found: its path and which MPI it belongs to ("Open MPI 4.1.4", "MPICH 4.0.2"),
/// told by --version; empty if it did not say within the limit.
struct MpiLauncher {
  std::string path;
  std::string version;
  bool found() const { return !path.empty(); }
};
/// The one of the MPI that this was built with, else the one in PATH; or `path`, if that is given.
MpiLauncher find_mpirun(std::string path = {},
                        std::chrono::duration<double> limit = std::chrono::seconds(10));

}  // namespace vparity::harness
