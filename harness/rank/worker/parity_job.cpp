#include "harness/rank/worker/parity_job.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>

#include "harness/case/axes.h"
#include "harness/case/inputs/inputs.h"
#include "harness/io/usage_error.h"
#include "harness/provider/problem.h"
#include "harness/provider/registry/registry.h"
#include "harness/rank/check/check.h"
#include "harness/rank/eval/operands_file.h"
#include "harness/rank/ranks/rank_log.h"
#include "harness/rank/relations/relation.h"
#include "harness/rank/worker/trust.h"

namespace vparity::harness {
namespace {

using Clock = std::chrono::steady_clock;

class ParityJobRun {
 public:
  ParityJobRun(const MatrixJob& job, Communicator& world, const EventWriter& events)
      : job_(job), world_(world), events_(events) {}

  void run(const JobCase& job_case) {
    events_.write({{"event", "case"}, {"id", job_case.id}});
    const auto start = Clock::now();
    const CaseInputs inputs(job_case.parameters, job_.seed);
    reports::CaseOutcome outcome = check(job_case, inputs);
    outcome.wall_s = std::chrono::duration<double>(Clock::now() - start).count();
    if (outcome.status == reports::Status::failed) save(job_case, inputs);
    events_.write({{"event", "result"}, {"id", job_case.id}, {"outcome", to_json(outcome)}});
  }

 private:
  /// Splitting the world is collective and not free; cases of one shape share their grid.
  const ProcessGrid& grid_of(int tp) { return grids_.try_emplace(tp, world_, tp).first->second; }

  reports::CaseOutcome check(const JobCase& job_case, const CaseInputs& inputs) {
    const CaseParameters& parameters = job_case.parameters;
    const Problem problem = problem_of(parameters);
    const Check check{.name = fmt::format("case {}", job_case.id),
                      .task = {.operands = inputs,
                               .problem = problem,
                               .provider = *find_provider(parameters.provider),
                               .grad_of = parameters.grad_of,
                               .placement = {parameters.row_stride, parameters.alignment}},
                      .relations = has_relations(job_case.id)};
    const auto say = [&](std::string_view phase) {
      events_.write({{"event", "phase"}, {"id", job_case.id}, {"phase", phase}});
    };
    const CheckResult checked = run_check(check, grid_of(parameters.tp), say);
    reports::CaseOutcome outcome = checked.outcome;
    if (outcome.status != reports::Status::passed) return outcome;
    outcome.reason = reason_for_distrust(parameters, checked);
    if (outcome.reason) outcome.status = reports::Status::untrusted;
    return outcome;
  }

  /// The verdict stands whether or not the operands can be saved.
  void save(const JobCase& job_case, const CaseInputs& inputs) const {
    if (job_.save_failing.empty() || world_.rank() != 0) return;
    const auto path = std::filesystem::path(job_.save_failing) / (job_case.id + ".safetensors");
    try {
      std::filesystem::create_directories(job_.save_failing);
      write_operands(path, job_case.parameters, inputs);
      events_.write({{"event", "saved"},
                     {"id", job_case.id},
                     {"replay", replay_command(path, job_case.parameters)}});
    } catch (const std::exception& error) {
      log_rank(world_.rank(),
               fmt::format("case {}: its operands were not saved: {}", job_case.id, error.what()));
    }
  }

  const MatrixJob& job_;
  Communicator& world_;
  const EventWriter& events_;
  std::map<int, ProcessGrid> grids_;
};

/// Ranks that each find themselves alone were started by the launcher of another MPI.
std::string hint_of(int world) {
  return world == 1 ? " (is the launcher that of the MPI which vparity-worker was built with?)"
                    : "";
}

}  // namespace

void validate(const MatrixJob& job, int world) {
  for (const JobCase& job_case : job.cases) {
    const CaseParameters& parameters = job_case.parameters;
    if (parameters.world() != world) {
      throw UsageError(fmt::format("case {} needs tp * dp = {} * {} = {} ranks, the world has {}{}",
                                   job_case.id, parameters.tp, parameters.dp, parameters.world(),
                                   world, hint_of(world)));
    }
    try {
      provider_named(parameters.provider);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("case {}: provider {}", job_case.id, error.what()));
    }
  }
  if (job.world == world) return;
  throw UsageError(
      fmt::format("the job is for {} ranks, the world has {}{}", job.world, world, hint_of(world)));
}

void run_parity_job(const MatrixJob& job, Communicator& world, const EventWriter& events) {
  ParityJobRun run(job, world, events);
  for (const JobCase& job_case : job.cases) run.run(job_case);
}

}  // namespace vparity::harness
