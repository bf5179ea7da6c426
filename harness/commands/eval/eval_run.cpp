#include "harness/commands/eval/eval_run.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "harness/io/atomic_file.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "harness/machine/gpus.h"
#include "harness/rank/eval/file_operands.h"
#include "harness/run/launcher/scratch_folder.h"
#include "harness/run/outputs/output_folder.h"
#include "reports/model/exit_code.h"
#include "reports/model/model.h"

namespace vparity::harness {
namespace {

void say(const std::string& message) { print_error_line(fmt::format("vparity eval: {}", message)); }

/// Refuses here what the ranks would refuse, before they are started.
void check_input(const EvalRequest& request) {
  const FileOperands operands(request.input, request.parameters.dp);
  operands.check_labels(request.parameters.ignore_index);
}

void create(std::optional<reports::TemporaryFile>& output, const EvalRequest& request) {
  try {
    // A symbolic link is followed, not replaced.
    const auto target = std::filesystem::weakly_canonical(request.output);
    refuse_to_replace("--out", target, {request.input});
    output.emplace(target);
  } catch (const std::system_error& error) {
    throw UsageError(fmt::format("--out: {}", error.what()));
  }
}

/// The ranks' event "output".
struct Finding {
  nlohmann::ordered_json results;  ///< null: the ranks had none
  reports::Status status = reports::Status::not_run;
  std::string reason;
};

Finding finding_of(const Event& event) {
  return {event.body.at("json"),
          reports::status_named(event.body.at("status").get<std::string>())
              .value_or(reports::Status::error),
          event.body.at("reason").get<std::string>()};
}

struct Outcome {
  JobOutcome job;
  Finding finding;
};

Outcome run_ranks(EvalRequest request, LauncherKind launcher, const TimeLimits& limits) {
  // Ranks may be started in another folder.
  request.input = std::filesystem::absolute(request.input);
  if (!request.output.empty()) request.output = std::filesystem::absolute(request.output);
  const ScratchFolder scratch;
  reports::write_file_atomically(scratch.file("job.json"), to_json(request).dump());

  LaunchSpec spec;
  spec.kind = launcher;
  spec.ranks = request.parameters.world();
  spec.job_file = scratch.file("job.json");
  spec.log_file = scratch.file("log");
  spec.limits = limits;
  Outcome outcome;
  outcome.job = run_job(spec, [&](const Event& event) {
    if (event.kind == "output") outcome.finding = finding_of(event);
  });
  return outcome;
}

reports::ExitCode exit_code_of(const Outcome& outcome) {
  switch (outcome.job.end) {
    case JobEnd::done:
      break;
    case JobEnd::refused:
      return reports::exit_usage;
    case JobEnd::launch_failed:
    case JobEnd::crashed:
      return reports::exit_infrastructure;
    case JobEnd::timeout:
      return reports::exit_timeout;
    case JobEnd::interrupted:
      return reports::exit_by_signal(outcome.job.signal);
  }
  if (outcome.finding.results.is_null()) return reports::exit_infrastructure;
  return outcome.finding.status == reports::Status::passed ? reports::exit_passed
                                                           : reports::exit_failed;
}

/// Whether this machine has what the backend needs; prints why not. Throws UsageError if this build
/// cannot have it.
bool has_device(Backend backend) {
  if (backend != Backend::cuda) return true;
  const Gpus gpus = find_gpus();
  if (!gpus.built_with_cuda)
    throw UsageError(fmt::format("--backend cuda: {}; use --backend cpu or cuda-sim", gpus.reason));
  if (gpus.count == 0) say(fmt::format("nothing could run: --backend cuda: {}", gpus.reason));
  return gpus.count > 0;
}

}  // namespace

int run_eval(const EvalRequest& request, LauncherKind launcher, const TimeLimits& limits) {
  validate(request);
  check_input(request);
  if (!has_device(request.parameters.backend)) return reports::exit_nothing_ran;
  std::optional<reports::TemporaryFile> output;
  if (!request.output.empty()) create(output, request);
  EvalRequest job = request;
  if (output) job.output = output->path();
  const Outcome outcome = run_ranks(job, launcher, limits);

  const auto code = exit_code_of(outcome);
  if (!outcome.job.message.empty()) say(outcome.job.message);
  if (!outcome.finding.reason.empty()) say(outcome.finding.reason);
  if (code != reports::exit_passed && code != reports::exit_failed) return code;
  if (output) output->commit();
  print_out(outcome.finding.results.dump() + "\n");
  return code;
}

}  // namespace vparity::harness
