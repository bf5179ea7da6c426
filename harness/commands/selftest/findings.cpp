#include "harness/commands/selftest/findings.h"

#include <algorithm>
#include <array>

namespace vparity::harness {
namespace {

using reports::CaseResult;
using reports::Status;

bool has_result(Status status) {
  constexpr std::array with_result{Status::passed, Status::failed, Status::untrusted};
  return std::ranges::find(with_result, status) != with_result.end();
}

bool is_hole(const CaseResult& result) {
  return !has_result(result.status) && result.status != Status::skipped;
}

struct Evidence {
  std::string name;
  double error_ratio = 0;
};

Evidence evidence_of(const CaseResult& failed) {
  Evidence worst{failed.reason ? failed.reason->code : ""};
  for (const auto& output : failed.outputs) {
    if (output.mismatches > 0 && output.error_ratio > worst.error_ratio)
      worst = {output.name, output.error_ratio};
  }
  return worst;
}

void take_failure(Finding& finding, const CaseResult& failed) {
  const Evidence evidence = evidence_of(failed);
  if (finding.failed++ > 0 && evidence.error_ratio <= finding.error_ratio) return;
  finding.case_id = failed.id;
  finding.evidence = evidence.name;
  finding.error_ratio = evidence.error_ratio;
}

struct Counts {
  std::int64_t passed = 0, untrusted = 0, holes = 0;
};

Judgement judgement_of(const Finding& finding, const Counts& counts) {
  if (finding.subject.has_bug && finding.failed > 0) return Judgement::caught;
  if (finding.failed + counts.untrusted > 0 && !finding.subject.has_bug) return Judgement::failed;
  if (counts.holes > 0) return Judgement::undecided;
  if (finding.subject.has_bug) return Judgement::missed;
  return counts.passed > 0 ? Judgement::passed : Judgement::failed;
}

Finding finding_of(const Subject& subject, const std::vector<CaseResult>& cases) {
  Finding finding{.subject = subject};
  Counts counts;
  for (const std::size_t index : subject.cases) {
    const CaseResult& result = cases.at(index);
    if (result.status == Status::failed) take_failure(finding, result);
    counts.passed += result.status == Status::passed ? 1 : 0;
    counts.untrusted += result.status == Status::untrusted ? 1 : 0;
    counts.holes += is_hole(result) ? 1 : 0;
  }
  finding.judgement = judgement_of(finding, counts);
  return finding;
}

}  // namespace

std::string_view name_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::passed:
      return "passed";
    case Judgement::caught:
      return "caught";
    case Judgement::failed:
      return "failed";
    case Judgement::missed:
      return "missed";
    case Judgement::undecided:
      break;
  }
  return "undecided";
}

std::vector<Finding> judge(const std::vector<Subject>& subjects,
                           const std::vector<CaseResult>& cases) {
  std::vector<Finding> findings;
  for (const Subject& subject : subjects) findings.push_back(finding_of(subject, cases));
  return findings;
}

reports::ExitCode exit_code_of(const std::vector<Finding>& findings,
                               const std::vector<CaseResult>& cases, const GroupEnd& end) {
  const auto says_no = [](const Finding& finding) {
    return finding.judgement == Judgement::missed || finding.judgement == Judgement::failed;
  };
  const auto any = [&](Status status) {
    return std::ranges::find(cases, status, &CaseResult::status) != cases.end();
  };
  std::vector<reports::ExitCode> applicable{reports::exit_passed};
  const auto add = [&](bool applies, reports::ExitCode code) {
    if (applies) applicable.push_back(code);
  };
  add(end.signal != 0, reports::exit_by_signal(end.signal));
  add(end.refused, reports::exit_usage);
  add(std::ranges::any_of(findings, says_no) || any(Status::not_run), reports::exit_failed);
  add(any(Status::timeout) || end.ended_late, reports::exit_timeout);
  add(any(Status::crashed) || any(Status::error) || end.ended_badly, reports::exit_infrastructure);
  return reports::first_in_precedence(applicable);
}

}  // namespace vparity::harness
