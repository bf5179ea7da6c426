#include "harness/run/group/group_job.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "harness/case/axes.h"
#include "harness/io/atomic_file.h"
#include "harness/run/group/group_cases.h"

namespace vparity::harness {
namespace {

using reports::Status;

// Both end a job early. They are thrown through run_job, which then leaves no process behind.
struct FailuresReached {};
struct BadEvent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A launch may fail for a reason that passes, such as a port that is still taken.
constexpr int most_fruitless_jobs = 2;

class GroupRun {
 public:
  GroupRun(const RunOptions& options, const Plan& plan, const Group& group, LaunchSpec spec,
           RunRecord& record, Reporter& reporter)
      : options_(options),
        plan_(plan),
        measure_(group.measure),
        spec_(std::move(spec)),
        name_(name_of(group)),
        cases_(group, record, reporter),
        record_(record),
        reporter_(reporter) {}

  GroupEnd run();

 private:
  void run_job_with_rest();
  void write_job_file() const;

  void hear(const Event& event);
  void ranks_are_up(const nlohmann::json& body);
  void case_begins(const nlohmann::json& body);
  void saved(const nlohmann::json& body);
  void case_ends(const nlohmann::json& body);
  std::size_t case_of(const std::string& id) const;
  bool failures_reached() const;

  void settle(const JobOutcome& outcome);
  void blame(Status status, const char* code, const JobOutcome& outcome);
  void end_fruitless_job(const JobOutcome& outcome);

  const RunOptions& options_;
  const Plan& plan_;
  const reports::Measure measure_;
  const LaunchSpec spec_;
  const std::string name_;
  GroupCases cases_;
  RunRecord& record_;
  Reporter& reporter_;
  GroupEnd end_;
  std::chrono::steady_clock::time_point job_start_;

  std::size_t cases_of_job_ = 0;  ///< when it started
  int fruitless_jobs_ = 0;        ///< in a row: none of their cases was begun
};

// Every job decides a case or is a fruitless one, so this comes to an end.
GroupEnd GroupRun::run() {
  if (cases_.pending().empty()) return {};
  reporter_.group_starts(name_, std::ssize(cases_.pending()), spec_.ranks);
  while (!cases_.pending().empty() && !end_.stops_run()) run_job_with_rest();
  return end_;
}

void GroupRun::run_job_with_rest() {
  if (cases_of_job_ != 0) reporter_.group_goes_on(name_, std::ssize(cases_.pending()));
  cases_of_job_ = cases_.pending().size();
  write_job_file();
  job_start_ = std::chrono::steady_clock::now();
  try {
    settle(run_job(spec_, [this](const Event& event) { hear(event); }));
  } catch (const BadEvent& error) {
    settle({.end = JobEnd::crashed, .message = error.what()});
  } catch (const FailuresReached&) {
    // noticed below
  }
  end_.failures_reached = failures_reached();
}

void GroupRun::write_job_file() const {
  MatrixJob job{.measure = measure_,
                .world = spec_.ranks,
                .seed = plan_.seed,
                .case_limit_s = options_.limits.per_case.count(),
                .save_failing = {},
                .cases = {}};
  if (!options_.save_failing.empty()) {
    job.save_failing = std::filesystem::absolute(options_.save_failing);
  }
  for (const auto index : cases_.pending()) job.cases.push_back(plan_.cases[index].job);
  reports::write_file_atomically(spec_.job_file, to_json(job).dump());
}

void GroupRun::hear(const Event& event) {
  try {
    if (event.kind == "ready") ranks_are_up(event.body);
    if (event.kind == "case") case_begins(event.body);
    if (event.kind == "saved") saved(event.body);
    if (event.kind == "result") case_ends(event.body);
  } catch (const nlohmann::json::exception& error) {
    throw BadEvent(fmt::format("the ranks sent a bad event {}: {}", event.kind, error.what()));
  } catch (const std::invalid_argument& error) {
    throw BadEvent(fmt::format("the ranks sent a bad event {}: {}", event.kind, error.what()));
  }
}

void GroupRun::ranks_are_up(const nlohmann::json& body) {
  const std::chrono::duration<double> launch = std::chrono::steady_clock::now() - job_start_;
  record_.ranks_are_up(body, launch.count());
}

void GroupRun::case_begins(const nlohmann::json& body) {
  fruitless_jobs_ = 0;
  cases_.begin(case_of(body.at("id")));
}

void GroupRun::saved(const nlohmann::json& body) {
  reporter_.operands_saved(body.at("id").get<std::string>(), body.at("replay").get<std::string>());
}

void GroupRun::case_ends(const nlohmann::json& body) {
  const auto index = case_of(body.at("id"));
  auto outcome = reports::outcome_from_json(body.at("outcome"));
  if (outcome.measure() != measure_) throw std::invalid_argument("a case of another measure");
  cases_.decide(index, std::move(outcome));
  if (failures_reached()) throw FailuresReached{};
}

std::size_t GroupRun::case_of(const std::string& id) const {
  const auto index = cases_.pending_case(id);
  if (!index) throw std::invalid_argument("a case that is not theirs");
  return *index;
}

bool GroupRun::failures_reached() const {
  return options_.max_failures && record_.failed_cases() >= *options_.max_failures;
}

void GroupRun::settle(const JobOutcome& outcome) {
  end_.signal = outcome.signal;
  switch (outcome.end) {
    case JobEnd::done:
      cases_.decide_rest(Status::error,
                         {"missing_result", "the ranks ended without a result for it"}, "done");
      break;
    case JobEnd::refused:
      end_.refused = true;
      cases_.decide_rest(Status::error, {"refused", outcome.message}, "launch");
      break;
    case JobEnd::launch_failed:
      end_fruitless_job(outcome);
      break;
    case JobEnd::timeout:
      blame(Status::timeout, "time_limit", outcome);
      break;
    case JobEnd::crashed:
      blame(Status::crashed, "job_crashed", outcome);
      break;
    case JobEnd::interrupted:
      break;
  }
}

/// The case that ran gets the status. Between two cases, and after the last, no case does.
void GroupRun::blame(Status status, const char* code, const JobOutcome& outcome) {
  if (const auto index = cases_.running()) {
    const auto& phase = outcome.phase;
    cases_.decide(*index, status, {code, outcome.message}, phase.empty() ? "inputs" : phase);
  } else if (cases_.pending().size() == cases_of_job_) {
    end_fruitless_job(outcome);
  } else {
    (status == Status::timeout ? end_.ended_late : end_.ended_badly) = true;
    reporter_.warn(outcome.message);
  }
}

void GroupRun::end_fruitless_job(const JobOutcome& outcome) {
  if (end_.signal != 0) return;
  if (++fruitless_jobs_ < most_fruitless_jobs) {
    reporter_.warn(fmt::format("{}: {}", name_, outcome.message));
  } else {
    cases_.decide_rest(Status::error, {"launch_failed", outcome.message}, "launch");
  }
}

LaunchSpec launch_spec(const RunOptions& options, LauncherKind launcher, const Group& group,
                       const RunDirectory& directory) {
  const auto name = name_of(group);
  return {.kind = launcher,
          .launcher_args = options.launcher_args,
          .ranks = group.world,
          .worker = options.worker,
          .job_file = std::filesystem::absolute(directory.job_file(name)),
          .log_file = directory.log_file(name),
          .limits = options.limits};
}

}  // namespace

std::string name_of(const Group& group) {
  CaseParameters parameters;
  parameters.backend = group.backend;
  parameters.transport = group.transport;
  const auto measure = group.measure == reports::Measure::throughput ? "throughput-" : "";
  return fmt::format("{}{}-{}-{}", measure, axis_value(parameters, "backend").get<std::string>(),
                     axis_value(parameters, "transport").get<std::string>(), group.world);
}

GroupEnd run_group(const RunOptions& options, LauncherKind launcher, const Plan& plan,
                   const Group& group, const RunDirectory& directory, RunRecord& record,
                   Reporter& reporter) {
  return GroupRun(options, plan, group, launch_spec(options, launcher, group, directory), record,
                  reporter)
      .run();
}

}  // namespace vparity::harness
