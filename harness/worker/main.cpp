// vparity-worker: the ranks of one job, as MPI processes or, with --threads, as threads.
#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>

#include "harness/check/rank_log.h"
#include "harness/worker/job.h"
#include "harness/worker/mpi_world.h"
#include "harness/worker/process.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

/// What the ranks that cannot go on leave behind; the others must not wait for them.
int run_or_abort(const std::string& job_file, const std::string& transport, int events_fd,
                 Communicator& world) {
  try {
    return run_job_on_rank(job_file, transport, world,
                           EventWriter(world.rank() == 0 ? events_fd : -1));
  } catch (const std::exception& error) {
    log_rank(world.rank(), error.what());
    world.abort(error.what());
    return exit_broken;
  }
}

int run_as_threads(int ranks, const std::string& job_file, int events_fd) {
  std::atomic<int> worst = exit_done;
  run_thread_ranks(ranks, [&](Communicator& world) {
    const int code = run_or_abort(job_file, "", events_fd, world);
    if (code != exit_done) worst = code;
  });
  return worst;
}

int run_as_processes(const std::string& job_file, int events_fd, int argc, char** argv) {
  return with_mpi_world(argc, argv, [&](Communicator& world, const std::string& library) {
    return run_or_abort(job_file, library, events_fd, world);
  });
}

int run_worker(int argc, char** argv) {
  die_with_parent();
  const int events_fd = take_standard_output();
  CLI::App app("The ranks of one vparity job; started by vparity, or by mpirun or srun.",
               "vparity-worker");
  std::string job_file;
  int threads = 0;
  app.add_option("--plan", job_file, "the job file")->required();
  const auto* as_threads =
      app.add_option("--threads", threads, "run this many ranks as threads, without MPI")
          ->check(CLI::Range(1, 4096));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_refused;
  }
  return *as_threads ? run_as_threads(threads, job_file, events_fd)
                     : run_as_processes(job_file, events_fd, argc, argv);
}

}  // namespace
}  // namespace vparity::harness

int main(int argc, char** argv) {
  try {
    return vparity::harness::run_worker(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vparity-worker: %s\n", error.what());
    return vparity::harness::exit_broken;
  }
}
