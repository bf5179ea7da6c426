// What a run has found out so far, in memory and line by line in its journal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/run/record/journal.h"
#include "harness/run/record/provenance.h"
#include "reports/model/model.h"

namespace vparity::harness {

/// The journal's entries, member "event":
///   {"event":"run","schema":"vparity.journal/1","run":{...},"plan":{...}}   the first line
///   {"event":"resumed","time":UTC}
///   {"event":"ranks","launch_s":S, what the event "ready" of a job said}
///   {"event":"case","measure":MEASURE,"id":ID}                              a case begins
///   {"event":"result","measure":MEASURE,"case":{...}}                       a case is decided
class RunRecord {
 public:
  /// A new run. `cases` are all planned cases, not run yet. `plan` identifies the plan.
  static RunRecord start(const std::string& journal, reports::Run run,
                         const nlohmann::ordered_json& plan,
                         std::vector<reports::CaseResult> cases);

  /// A resumed run. Cases that the journal has as passed, failed, untrusted or skipped are decided.
  /// Throws UsageError if the journal is damaged or belongs to another plan.
  static RunRecord resume(const std::string& journal, const std::string& now,
                          const nlohmann::ordered_json& plan,
                          std::vector<reports::CaseResult> cases);

  /// Indices of cases are those of the plan.
  bool decided(std::size_t index) const { return decided_[index]; }
  const reports::CaseResult& result(std::size_t index) const { return cases_[index]; }
  const std::vector<reports::CaseResult>& results() const { return cases_; }
  std::int64_t decided_cases() const;
  /// Decided ones that fail the gate.
  std::int64_t failed_cases() const;

  /// Excuses failures that these entries match, also of cases that are decided already.
  /// `today` is a UTC date, "YYYY-MM-DD".
  void excuse(std::vector<reports::KnownFailure> known, std::string today);

  /// `launch_s`: seconds from the job's start.
  void ranks_are_up(const nlohmann::json& ready, double launch_s);
  void begin(std::size_t index);
  /// Once per case and run.
  void decide(std::size_t index, const reports::CaseOutcome& outcome);
  /// Says why this process does not run an undecided case. A resumed run will.
  void leave_out(std::size_t index, const reports::Reason& reason);

  reports::Report report(const BuildInfo& build, std::int64_t dropped_points,
                         const std::string& finished) const;

 private:
  RunRecord(JournalWriter journal, reports::Run run, std::vector<reports::CaseResult> cases);
  void replay(const std::vector<nlohmann::json>& entries);

  JournalWriter journal_;
  reports::Run run_;
  std::vector<reports::CaseResult> cases_;
  std::vector<bool> decided_;
  std::vector<reports::KnownFailure> known_failures_;
  std::string today_;
  RankDescriptions ranks_;
};

}  // namespace vparity::harness
