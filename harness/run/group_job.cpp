#include "harness/run/group_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "harness/case/axes.h"
#include "reports/atomic_file.h"

namespace vparity::harness {
namespace {

using Clock = std::chrono::steady_clock;
using reports::CaseResult;
using reports::Reason;
using reports::Status;

// Both end a job in the middle: thrown through run_job, which then leaves no process behind.
struct FailuresReached {};
struct BadEvent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class GroupJob {
 public:
  GroupJob(const RunOptions& options, std::vector<std::size_t> cases, RunRecord& record,
           Reporter& reporter)
      : options_(options), pending_(std::move(cases)), record_(record), reporter_(reporter) {}

  GroupEnd run(const LaunchSpec& spec) {
    try {
      return settle(run_job(spec, [this](const Event& event) { hear(event); }));
    } catch (const BadEvent& error) {
      return settle({.end = JobEnd::crashed, .message = error.what()});
    } catch (const FailuresReached&) {
      leave_out_rest(
          {"max_failures", fmt::format("the run ended after {} failures", record_.failed_cases())});
      GroupEnd end;
      end.failures_reached = true;
      return end;
    }
  }

 private:
  void hear(const Event& event);
  void case_begins(const nlohmann::json& body);
  void saved(const nlohmann::json& body);
  void case_ends(const nlohmann::json& body);
  bool failures_reached() const;

  std::optional<std::size_t> pending_case(const std::string& id) const;
  void decide(std::size_t index, CaseResult result);
  void decide(std::size_t index, Status status, const Reason& reason, const std::string& phase);
  void decide_rest(Status status, const Reason& reason, const std::string& phase);
  void leave_out_rest(const Reason& reason);

  GroupEnd settle(const JobOutcome& outcome);
  void blame(Status status, const char* code, const JobOutcome& outcome);

  const RunOptions& options_;
  std::vector<std::size_t> pending_;  ///< not decided yet, in the order of the job
  RunRecord& record_;
  Reporter& reporter_;
  std::optional<Clock::time_point> begin_;  ///< of the case that runs
};

void GroupJob::hear(const Event& event) {
  try {
    if (event.kind == "ready") record_.ranks_are_up(event.body);
    if (event.kind == "case") case_begins(event.body);
    if (event.kind == "saved") saved(event.body);
    if (event.kind == "result") case_ends(event.body);
  } catch (const nlohmann::json::exception& error) {
    throw BadEvent(fmt::format("the ranks sent a bad event {}: {}", event.kind, error.what()));
  } catch (const std::invalid_argument& error) {
    throw BadEvent(fmt::format("the ranks sent a bad event {}: {}", event.kind, error.what()));
  }
}

void GroupJob::case_begins(const nlohmann::json& body) {
  const auto index = pending_case(body.at("id"));
  if (!index) throw std::invalid_argument("a case that is not theirs");
  begin_ = Clock::now();
  record_.begin(*index);
}

void GroupJob::saved(const nlohmann::json& body) {
  reporter_.operands_saved(body.at("id").get<std::string>(), body.at("replay").get<std::string>());
}

void GroupJob::case_ends(const nlohmann::json& body) {
  auto result = reports::case_from_json(body.at("case"));
  const auto index = pending_case(result.id);
  if (!index) throw std::invalid_argument("a case that is not theirs");
  decide(*index, std::move(result));
  if (failures_reached()) throw FailuresReached{};
}

bool GroupJob::failures_reached() const {
  return options_.max_failures && record_.failed_cases() >= *options_.max_failures;
}

std::optional<std::size_t> GroupJob::pending_case(const std::string& id) const {
  const auto found = std::ranges::find_if(
      pending_, [&](std::size_t index) { return record_.result(index).id == id; });
  return found == pending_.end() ? std::nullopt : std::optional(*found);
}

/// The plan knows what a case is; the ranks know what came of it.
void GroupJob::decide(std::size_t index, CaseResult result) {
  const auto& planned = record_.result(index);
  if (begin_) result.wall_s = std::chrono::duration<double>(Clock::now() - *begin_).count();
  begin_.reset();
  result.key = planned.key;
  result.params = planned.params;
  result.attempts = planned.attempts;
  result.repeat = planned.repeat;
  record_.decide(index, result);
  std::erase(pending_, index);
  reporter_.decided(record_.result(index));
}

void GroupJob::decide(std::size_t index, Status status, const Reason& reason,
                      const std::string& phase) {
  CaseResult result = record_.result(index);
  result.status = status;
  result.reason = reason;
  result.phase = phase;
  decide(index, std::move(result));
}

void GroupJob::decide_rest(Status status, const Reason& reason, const std::string& phase) {
  while (!pending_.empty()) decide(pending_.front(), status, reason, phase);
}

void GroupJob::leave_out_rest(const Reason& reason) {
  for (const auto index : pending_) record_.leave_out(index, reason);
  if (!pending_.empty()) reporter_.left_out(std::ssize(pending_), reason.text);
}

/// The case that ran gets the blame; between two cases, the next one.
void GroupJob::blame(Status status, const char* code, const JobOutcome& outcome) {
  if (pending_.empty()) return;
  const auto index = pending_case(outcome.running_case).value_or(pending_.front());
  const auto id = record_.result(index).id;
  decide(index, status, {code, outcome.message}, outcome.phase.empty() ? "launch" : outcome.phase);
  leave_out_rest({"job_ended", fmt::format("its job ended at case {}", id)});
}

GroupEnd GroupJob::settle(const JobOutcome& outcome) {
  GroupEnd end;
  end.signal = outcome.signal;
  switch (outcome.end) {
    case JobEnd::done:
      decide_rest(Status::error, {"missing_result", "the ranks ended without a result for it"},
                  "done");
      break;
    case JobEnd::refused:
      end.refused = true;
      decide_rest(Status::error, {"refused", outcome.message}, "launch");
      break;
    case JobEnd::launch_failed:
      decide_rest(Status::error, {"launch_failed", outcome.message}, "launch");
      break;
    case JobEnd::timeout:
      end.ended_late = pending_.empty();
      blame(Status::timeout, "time_limit", outcome);
      break;
    case JobEnd::crashed:
      end.ended_badly = pending_.empty();
      blame(Status::crashed, "job_crashed", outcome);
      break;
    case JobEnd::interrupted:
      leave_out_rest({"interrupted", outcome.message});
      break;
  }
  if (end.ended_late || end.ended_badly) reporter_.warn(outcome.message);
  end.failures_reached = failures_reached();
  return end;
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

ParityJob parity_job(const RunOptions& options, const Plan& plan, const Group& group,
                     const std::vector<std::size_t>& cases) {
  ParityJob job{.world = group.world, .seed = plan.seed, .save_failing = {}, .cases = {}};
  if (!options.save_failing.empty()) {
    job.save_failing = std::filesystem::absolute(options.save_failing);
  }
  for (const auto index : cases) job.cases.push_back(plan.cases[index].job);
  return job;
}

}  // namespace

std::string name_of(const Group& group) {
  CaseParameters parameters;
  parameters.backend = group.backend;
  parameters.transport = group.transport;
  return fmt::format("{}-{}-{}", axis_value(parameters, "backend").get<std::string>(),
                     axis_value(parameters, "transport").get<std::string>(), group.world);
}

GroupEnd run_group(const RunOptions& options, LauncherKind launcher, const Plan& plan,
                   const Group& group, const RunDirectory& directory, RunRecord& record,
                   Reporter& reporter) {
  std::vector<std::size_t> cases;
  std::ranges::copy_if(group.cases, std::back_inserter(cases),
                       [&](std::size_t index) { return !record.decided(index); });
  if (cases.empty()) return {};
  const auto spec = launch_spec(options, launcher, group, directory);
  reports::write_file_atomically(spec.job_file,
                                 to_json(parity_job(options, plan, group, cases)).dump());
  reporter.group_starts(name_of(group), std::ssize(cases), group.world);
  return GroupJob(options, std::move(cases), record, reporter).run(spec);
}

}  // namespace vparity::harness
