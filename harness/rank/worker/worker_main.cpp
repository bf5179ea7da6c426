#include "harness/rank/worker/worker_main.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>

#include "harness/io/closed_streams.h"
#include "harness/rank/ranks/rank_log.h"
#include "harness/rank/worker/job.h"
#include "harness/rank/worker/mpi_world.h"
#include "harness/rank/worker/process.h"
#include "harness/rank/worker/watched_communicator.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

struct Arguments {
  std::string job_file;
  std::string states_file;  ///< empty: none
  int threads = 0;
};

/// The other ranks get CommunicationError where they wait.
void abort_threads(Communicator& group, const char* reason) { group.abort(reason); }

/// The launcher ends the others when one rank ends without leaving MPI. MPI_Abort would do the
/// same, but may be called by one thread only, and that one may be waiting in MPI.
void end_process(Communicator&, const char*) { _exit(reports::exit_infrastructure); }

/// Runs the job on one rank. A rank that cannot go on ends the job by `end`: the others must not
/// wait for it.
int run_or_abort(const Arguments& arguments, const std::string& transport, int events_fd,
                 Communicator& inner, const AbortJob& end) {
  const int rank = inner.rank();
  try {
    RankStateWriter state(arguments.states_file, rank);
    const AbortJob abort = [&](Communicator& group, const char* reason) {
      state.abort();
      log_rank(rank, fmt::format("aborts the job: {}", reason));
      end(group, reason);
    };
    WatchedCommunicator world(inner, state, abort);
    return run_job_on_rank(arguments.job_file, transport, world,
                           EventWriter(rank == 0 ? events_fd : -1, &state));
  } catch (const std::exception& error) {
    log_rank(rank, error.what());
    end(inner, error.what());
    return reports::exit_infrastructure;
  }
}

int run_as_threads(const Arguments& arguments, int events_fd) {
  std::atomic<int> worst = reports::exit_passed;
  run_thread_ranks(arguments.threads, [&](Communicator& world) {
    const int code = run_or_abort(arguments, "", events_fd, world, abort_threads);
    if (code != reports::exit_passed) worst = code;
  });
  return worst;
}

int run_as_processes(const Arguments& arguments, int events_fd, int argc, char** argv) {
  return with_mpi_world(argc, argv, [&](Communicator& world, const std::string& library) {
    return run_or_abort(arguments, library, events_fd, world, end_process);
  });
}

int run_worker(int argc, char** argv) {
  die_with_parent();
  open_closed_streams();
  const int events_fd = take_standard_output();
  CLI::App app("The ranks of one vparity job; started by vparity or by mpirun.", "vparity-worker");
  Arguments arguments;
  app.add_option("--plan", arguments.job_file, "the job file")->required();
  app.add_option("--states", arguments.states_file,
                 "a file with a place for each rank, to say how far it is");
  const auto* as_threads =
      app.add_option("--threads", arguments.threads, "run this many ranks as threads, without MPI")
          ->check(CLI::Range(1, 4096));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? reports::exit_passed : reports::exit_usage;
  }
  return *as_threads ? run_as_threads(arguments, events_fd)
                     : run_as_processes(arguments, events_fd, argc, argv);
}

}  // namespace

int worker_main(int argc, char** argv, std::span<const Provider* const> providers) {
  use_providers(providers);
  try {
    return run_worker(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vparity-worker: %s\n", error.what());
    return reports::exit_infrastructure;
  }
}

}  // namespace vparity::harness
