#include "harness/commands/doctor/launch_trial.h"

#include <chrono>

#include "harness/run/launcher/scratch_folder.h"
#include "harness/io/atomic_file.h"

namespace vparity::harness {

LaunchTrial try_launch(LauncherKind kind, const std::string& worker) {
  const ScratchFolder scratch;
  MatrixJob job;
  job.world = 2;
  reports::write_file_atomically(scratch.file("job.json"), to_json(job).dump());

  LaunchSpec spec;
  spec.kind = kind;
  spec.ranks = job.world;
  spec.worker = worker;
  spec.job_file = scratch.file("job.json");
  spec.log_file = scratch.file("log");
  spec.limits.launch = std::chrono::seconds(30);

  LaunchTrial trial;
  const JobOutcome outcome = run_job(spec, [&](const Event& event) {
    if (event.kind == "ready") trial.ready = event.body;
  });
  trial.ok = outcome.end == JobEnd::done;
  trial.message = outcome.message;
  return trial;
}

}  // namespace vparity::harness
