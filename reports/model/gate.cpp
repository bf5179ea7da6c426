#include "reports/model/gate.h"

#include <fmt/format.h>

#include <algorithm>

namespace vparity::reports {
namespace {

bool is_stale(const KnownFailure& known) {
  return known.state == KnownFailureState::expired ||
         known.state == KnownFailureState::unexpected_pass;
}

bool has_stale_entries(const Report& report) {
  return std::ranges::any_of(report.known_failures, is_stale);
}

/// Other cases that it matches may have failed where this run cannot see: in another shard, or
/// where there are ranks enough for those that are skipped here.
bool all_pass(const KnownFailure& known, const std::vector<CaseResult>& cases) {
  const auto passed = std::ranges::count_if(cases, [&](const CaseResult& result) {
    return result.status == Status::passed && matches(known, result.key);
  });
  return passed > 0 && passed == known.cases;
}

KnownFailureState state_of(const KnownFailure& known, const std::vector<CaseResult>& cases,
                           std::string_view today) {
  if (has_expired(known, today)) return KnownFailureState::expired;
  const bool has_failed = std::ranges::any_of(cases, [&](const CaseResult& result) {
    return !result.known_failure.empty() && matches(known, result.key);
  });
  if (has_failed) return KnownFailureState::known;
  return all_pass(known, cases) ? KnownFailureState::unexpected_pass : KnownFailureState::unused;
}

Reason complaint_about(const KnownFailure& known) {
  const auto what =
      known.state == KnownFailureState::expired
          ? fmt::format("expired on {}", known.expiry)
          : fmt::format("passed in each of its cases ({}), so the entry can go", known.cases);
  return {std::string(name_of(known.state)),
          fmt::format("known failure '{}': {} ({}; owner {}, {})", known.match, what, known.reason,
                      known.owner, known.issue)};
}

Reason complaint_about_exit_code(const Report& report) {
  if (report.run.exit_code == exit_failed) {
    return {"strict_skips",
            fmt::format("{} skipped, which is not allowed here", report.summary.skipped)};
  }
  return {"exit_code", fmt::format("the run ended with exit code {}, which no case explains: see "
                                   "what it said on standard error",
                                   *report.run.exit_code)};
}

bool is_fine(int exit_code) { return exit_code == exit_passed || exit_code == exit_nothing_ran; }

}  // namespace

bool fails_gate(const CaseResult& result) {
  return is_failure(result.status) && result.known_failure.empty();
}

std::vector<const CaseResult*> failing_cases(const Report& report) {
  std::vector<const CaseResult*> cases;
  for (const auto& result : report.cases)
    if (fails_gate(result)) cases.push_back(&result);
  std::ranges::stable_partition(
      cases, [](const CaseResult* result) { return result->status != Status::not_run; });
  return cases;
}

void excuse(CaseResult& result, const std::vector<KnownFailure>& known, std::string_view today) {
  result.known_failure.clear();
  if (!is_failure(result.status) || result.status == Status::not_run) return;
  const auto excuses = [&](const KnownFailure& entry) {
    return !has_expired(entry, today) && matches(entry, result.key);
  };
  const auto found = std::ranges::find_if(known, excuses);
  if (found != known.end()) result.known_failure = found->match;
}

void judge_known_failures(Report& report, std::string_view today) {
  for (auto& result : report.cases) excuse(result, report.known_failures, today);
  for (auto& known : report.known_failures) known.state = state_of(known, report.cases, today);
  report.summary = summarise(report.cases, report.summary.dropped);
}

ExitCode exit_code(const Report& report, const RunEnd& end, bool strict_skips) {
  const auto any = [&](std::initializer_list<Status> statuses) {
    return std::ranges::any_of(report.cases, [&](const CaseResult& result) {
      return result.known_failure.empty() &&
             std::ranges::find(statuses, result.status) != statuses.end();
    });
  };
  using enum Status;
  std::vector<ExitCode> applicable{any({passed}) ? exit_passed : exit_nothing_ran};
  const auto add = [&](bool applies, ExitCode code) {
    if (applies) applicable.push_back(code);
  };
  add(end.signal != 0, exit_by_signal(end.signal));
  add(end.refused, exit_usage);
  add(any({failed, untrusted, not_run}) || has_stale_entries(report), exit_failed);
  add(strict_skips && any({skipped}), exit_failed);
  add(end.late || any({timeout}), exit_timeout);
  add(end.broken || any({error, crashed}), exit_infrastructure);
  return first_in_precedence(applicable);
}

std::vector<Reason> other_complaints(const Report& report) {
  std::vector<Reason> complaints;
  for (const auto& known : report.known_failures) {
    if (is_stale(known)) complaints.push_back(complaint_about(known));
  }
  const bool unexplained = complaints.empty() && !is_fine(report.run.exit_code.value_or(0)) &&
                           std::ranges::none_of(report.cases, fails_gate);
  if (unexplained) complaints.push_back(complaint_about_exit_code(report));
  return complaints;
}

std::string verdict_line(const Summary& summary) {
  const auto skipped = summary.skipped + summary.known_failures;
  return fmt::format("{} passed, {} failed, {} skipped", summary.passed,
                     summary.planned - summary.passed - skipped, skipped);
}

}  // namespace vparity::reports
