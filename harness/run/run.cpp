#include "harness/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "harness/case/axes.h"
#include "harness/io/standard_output.h"
#include "harness/io/terminal.h"
#include "harness/io/usage_error.h"
#include "harness/machine/build_info.h"
#include "harness/run/group/group_job.h"
#include "harness/run/launcher/signal_queue.h"
#include "harness/run/outputs/known_failures_file.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/record/run_directory.h"
#include "harness/run/record/run_record.h"
#include "harness/run/record/utc_time.h"
#include "harness/run/request/launcher_choice.h"
#include "harness/run/request/repeat_command.h"
#include "harness/run/terminal/closing.h"
#include "harness/run/terminal/reporter.h"
#include "reports/model/gate.h"
#include "reports/outputs/html_report.h"

namespace vparity::harness {
namespace {

using SystemClock = std::chrono::system_clock;
using nlohmann::ordered_json;
using reports::CaseResult;
using reports::Status;

Plan plan_for(const RunOptions& options, LauncherKind launcher) {
  PlanOptions plan_options = options.plan;
  plan_options.transport = transport_under(launcher, options.plan.transport);
  return make_plan(options.matrix_files, plan_options);
}

/// The entries of --known-failures, each with the number of the matrix's cases that it matches.
std::vector<reports::KnownFailure> expected_failures(const RunOptions& options, const Plan& plan) {
  if (options.known_failures.empty()) return {};
  auto entries = read_known_failures(options.known_failures);
  for (auto& entry : entries) {
    entry.cases = std::ranges::count_if(
        plan.matrix_keys, [&](const std::string& key) { return matches(entry, key); });
  }
  return entries;
}

void say_backend(const RunOptions& options) {
  if (!options.plan.backend_choice.empty())
    print_error_line("vparity run: " + options.plan.backend_choice);
}

std::string directory_of(const RunOptions& options, const Plan& plan, SystemClock::time_point now) {
  if (!options.out.empty()) return options.out;
  if (options.resume) throw UsageError("--resume needs --out DIR, the run to continue");
  return make_unused_folder(fmt::format("vparity-out/{}-{}", plan.name, compact_utc(now)));
}

std::vector<std::int64_t> positions_of(const Plan& plan) {
  std::vector<std::int64_t> positions;
  positions.reserve(plan.cases.size());
  for (const auto& planned : plan.cases) positions.push_back(planned.position);
  return positions;
}

reports::Run new_run(const RunOptions& options, const Plan& plan, SystemClock::time_point now) {
  std::random_device random;
  return {.id = fmt::format("{}-{}-{:08x}", plan.name, compact_utc(now), random()),
          .matrix = plan.name,
          .started = iso_utc(now),
          .finished = {},
          .argv = options.argv,
          .seed = plan.seed,
          .shard_index = options.plan.shard_index,
          .shard_count = options.plan.shard_count,
          .shard_positions = positions_of(plan),
          .shard_total = plan.shards_total,
          .shard_plan = options.plan.shard_count > 1 ? plan.shards_plan : "",
          .complete = false,
          .exit_code = {}};
}

/// What a resumed run must have in common with the run that it continues.
ordered_json identity_of(const RunOptions& options, const Plan& plan, LauncherKind launcher) {
  // Results of another build must not stand in the report of this one.
  const auto program = provenance_of(build_info(), {});
  auto ids = ordered_json::array();
  for (const auto& planned : plan.cases) ids.push_back(planned.job.id);
  const auto throughput_cases =
      std::ranges::count(plan.cases, reports::Measure::throughput, &PlannedCase::measure);
  const auto& limit = options.plan.max_ranks;
  return {{"matrix", plan.name},
          {"seed", plan.seed},
          {"shard", fmt::format("{}/{}", options.plan.shard_index, options.plan.shard_count)},
          {"launcher", name_of(launcher)},
          {"max-ranks", limit ? ordered_json(*limit) : ordered_json()},
          {"version", program.at("version")},
          {"revision", program.at("git")},
          {"build", program.at("build")},
          {"throughput cases", throughput_cases},  // the last of these
          {"cases", ids}};
}

std::vector<CaseResult> planned_cases(const RunOptions& options, const Plan& plan) {
  std::vector<CaseResult> cases;
  for (const auto& planned : plan.cases) {
    CaseResult result;
    result.measured = reports::unmeasured(planned.measure);
    result.id = planned.job.id;
    result.key = planned.job.key;
    result.params = to_json(planned.job.parameters);
    result.reason = {"run_ended", "the run ended before it"};
    result.phase = "plan";
    result.repeat = repeat_command(options, planned);
    cases.push_back(std::move(result));
  }
  return cases;
}

RunRecord open_record(const RunOptions& options, const Plan& plan, LauncherKind launcher,
                      const RunDirectory& directory, SystemClock::time_point now) {
  const auto identity = identity_of(options, plan, launcher);
  auto cases = planned_cases(options, plan);
  if (options.resume) {
    return RunRecord::resume(directory.journal(), iso_utc(now), identity, std::move(cases));
  }
  return RunRecord::start(directory.journal(), new_run(options, plan, now), identity,
                          std::move(cases));
}

void decide_skipped_by_plan(const Plan& plan, RunRecord& record) {
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    if (!plan.cases[i].skip || record.decided(i)) continue;
    reports::CaseOutcome outcome = record.result(i);
    outcome.status = Status::skipped;
    outcome.reason = plan.cases[i].skip;
    record.decide(i, outcome);
  }
}

void merge(GroupEnd& run, const GroupEnd& group) {
  run.signal = group.signal;
  run.refused |= group.refused;
  run.failures_reached |= group.failures_reached;
  run.ended_late |= group.ended_late;
  run.ended_badly |= group.ended_badly;
}

/// A resumed run may have as many as it may have.
bool failures_reached(const RunOptions& options, const RunRecord& record) {
  return options.max_failures && record.failed_cases() >= *options.max_failures;
}

/// Of all groups, also those that were not started.
void leave_out_rest(const reports::Reason& reason, RunRecord& record, Reporter& reporter) {
  std::int64_t left_out = 0;
  for (std::size_t i = 0; i < record.results().size(); ++i) {
    if (record.decided(i)) continue;
    record.leave_out(i, reason);
    ++left_out;
  }
  if (left_out > 0) reporter.left_out(left_out, reason.text);
}

GroupEnd run_groups(const RunOptions& options, LauncherKind launcher, const Plan& plan,
                    const RunDirectory& directory, RunRecord& record, Reporter& reporter) {
  GroupEnd end;
  for (const auto& group : groups_of(plan)) {
    if (failures_reached(options, record)) break;
    merge(end, run_group(options, launcher, plan, group, directory, record, reporter));
    if (end.stops_run()) break;
  }
  if (end.signal != 0)
    leave_out_rest({"interrupted", strsignal(end.signal)}, record, reporter);
  else if (failures_reached(options, record))
    leave_out_rest(
        {"max_failures", fmt::format("the run ended after {} failures", record.failed_cases())},
        record, reporter);
  return end;
}

bool ran_on_device(const Plan& plan, const std::vector<CaseResult>& cases) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const bool ran = cases[i].status != Status::skipped && cases[i].status != Status::not_run;
    if (ran && plan.cases[i].job.parameters.backend == Backend::cuda) return true;
  }
  return false;
}

reports::RunEnd how_it_ended(const RunOptions& options, const Plan& plan, const GroupEnd& end,
                             const std::vector<CaseResult>& cases) {
  const bool device_missing = options.require_device && !ran_on_device(plan, cases);
  if (device_missing) print_error_line("vparity run: --require-device: no case ran on a device");
  return {.signal = end.signal,
          .refused = end.refused,
          .late = end.ended_late,
          .broken = end.ended_badly || device_missing};
}

/// Whether it succeeded. Prints the error if not.
template <typename Write>
bool succeeds(const Write& write) {
  try {
    write();
    return true;
  } catch (const std::system_error& error) {
    print_error_line(fmt::format("vparity run: {}", error.what()));
    return false;
  }
}

/// Gives the report its exit code and writes it. A run whose files cannot be written has failed;
/// the report itself then says so too, if at least that can be written.
void write_report(reports::Report& report, reports::RunEnd end, bool strict_skips,
                  const std::filesystem::path& directory) {
  report.run.exit_code = exit_code(report, end, strict_skips);
  if (succeeds([&] { harness::write_report(report, directory); })) return;
  end.broken = true;
  report.run.exit_code = exit_code(report, end, strict_skips);
  succeeds([&] { write_measured(report, directory); });
}

void say_closing_words(const RunOptions& options, const Plan& plan, const reports::Report& report,
                       const std::filesystem::path& directory) {
  if (options.verbosity != Verbosity::quiet) {
    print_line("");
    for (const auto& line : sweep_lines(plan, report)) {
      if (line.failed)
        print_red(line.text + "\n");
      else
        print_line(line.text);
    }
    print_out(closing_text(plan, report, options.verbosity));
    for (const auto& file : measured_files(report))
      print_line(fmt::format("report: {}", (directory / file).string()));
    if (reports::has_viewer())
      print_line(fmt::format("report: {}", (directory / "report.html").string()));
  }
  if (!report.run.complete)
    print_line(fmt::format("the same command with --resume --out {} goes on", directory.string()));
  for (const auto& complaint : other_complaints(report)) print_line(complaint.text);
  print_annotations(report);
  print_line(verdict_line(report.summary));
}

}  // namespace

PlanRun run_plan(const RunOptions& options, LauncherKind launcher, const Plan& plan,
                 const RunDirectory& directory, std::vector<reports::KnownFailure> expected) {
  const auto now = SystemClock::now();
  auto record = open_record(options, plan, launcher, directory, now);
  record.excuse(std::move(expected), utc_date(now));
  decide_skipped_by_plan(plan, record);
  GroupEnd end;
  {
    Reporter reporter(options.verbosity, record);
    end = run_groups(options, launcher, plan, directory, record, reporter);
  }
  return {std::move(record), end};
}

int run_matrices(const RunOptions& options) {
  // From here to the report's last byte, being told to stop means to stop in order.
  SignalQueue interrupts{SIGINT, SIGTERM, SIGHUP};
  const auto launcher = choose_launcher(options);
  const auto plan = plan_for(options, launcher);
  say_backend(options);
  auto expected = expected_failures(options, plan);
  if (!options.save_failing.empty()) make_output_folder("--save-failing", options.save_failing);
  const RunDirectory directory(directory_of(options, plan, SystemClock::now()), options.resume);
  auto [record, end] = run_plan(options, launcher, plan, directory, std::move(expected));
  if (const auto signal = interrupts.take()) end.signal = *signal;

  auto report = record.report(build_info(), plan.dropped_points(), iso_utc(SystemClock::now()));
  write_report(report, how_it_ended(options, plan, end, report.cases), options.strict_skips,
               directory.path());
  say_closing_words(options, plan, report, directory.path());
  return *report.run.exit_code;
}

}  // namespace vparity::harness
