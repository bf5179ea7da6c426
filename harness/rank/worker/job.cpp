#include "harness/rank/worker/job.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/io/json/json_file.h"
#include "harness/io/usage_error.h"
#include "harness/machine/gpus.h"
#include "harness/machine/host.h"
#include "harness/rank/eval/eval_job.h"
#include "harness/rank/eval/eval_request.h"
#include "harness/rank/ranks/fixed_text.h"
#include "harness/rank/ranks/rank_log.h"
#include "harness/rank/worker/gpu_libraries.h"
#include "harness/rank/worker/parity_job.h"
#include "harness/rank/worker/throughput_job.h"

namespace vparity::harness {
namespace {

// A job of a sweep has some hundred bytes per case.
constexpr std::size_t job_file_limit = std::size_t{512} << 20;

nlohmann::json read_job(const std::string& path) {
  nlohmann::json job = read_json_file(path, job_file_limit);
  if (!job.is_object()) throw UsageError(fmt::format("{}: a job file is a JSON object", path));
  return job;
}

bool is_eval(const nlohmann::json& job) { return job.value("kind", "") == "eval"; }

void validate_eval(const nlohmann::json& json, int world) {
  const CaseParameters parameters = eval_request_from_json(json).parameters;
  if (parameters.world() == world) return;
  throw UsageError(fmt::format("--tp {} and --dp {} need {} ranks, the world has {}", parameters.tp,
                               parameters.dp, parameters.world(), world));
}

/// Reads and checks the job. Ranks may see different files: if one of them refuses, all do.
nlohmann::json agree_on_job(const std::string& path, Communicator& world) {
  nlohmann::json job;
  FixedText refusal;
  try {
    job = read_job(path);
    if (is_eval(job)) {
      validate_eval(job, world.size());
    } else {
      validate(matrix_job_from_json(job), world.size());
    }
  } catch (const UsageError& error) {
    refusal = FixedText(error.what());
  }
  for (const FixedText& one : all_gather_values(world, refusal)) {
    if (!one.empty()) throw UsageError(one.str());
  }
  return job;
}

void run_matrix_job(const MatrixJob& job, Communicator& world, const EventWriter& events) {
  if (job.measure == reports::Measure::parity)
    run_parity_job(job, world, events);
  else
    run_throughput_job(job, world, events);
}

void run(const nlohmann::json& job, Communicator& world, const EventWriter& events) {
  if (is_eval(job)) {
    run_eval_job(job, world, events);
  } else {
    run_matrix_job(matrix_job_from_json(job), world, events);
  }
}

bool uses_gpus(const nlohmann::json& job) {
  if (is_eval(job)) return false;
  return std::ranges::any_of(matrix_job_from_json(job).cases, [](const JobCase& one) {
    return one.parameters.backend == Backend::cuda;
  });
}

nlohmann::ordered_json ready_event(const nlohmann::json& job, const std::string& transport,
                                   const Communicator& world) {
  nlohmann::ordered_json event{{"event", "ready"},
                               {"world", world.size()},
                               {"host", describe_host()},
                               {"mpi", transport},
                               {"libraries", nlohmann::ordered_json::object()}};
  if (world.rank() != 0 || !uses_gpus(job)) return event;  // the first rank's is heard
  event["host"]["gpus"] = describe_gpus();
  event["libraries"] = gpu_libraries();
  return event;
}

}  // namespace

reports::ExitCode run_job_on_rank(const std::string& job_file, const std::string& transport,
                                  Communicator& world, const EventWriter& events) {
  try {
    const nlohmann::json job = agree_on_job(job_file, world);
    events.write(ready_event(job, transport, world));
    run(job, world, events);
    events.write({{"event", "done"}});
    return reports::exit_passed;
  } catch (const UsageError& error) {
    events.write({{"event", "refused"}, {"message", error.what()}});
    if (world.rank() == 0) log_rank(0, error.what());
    return reports::exit_usage;
  }
}

}  // namespace vparity::harness
