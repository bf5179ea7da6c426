#include "reports/model/gate.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace vparity::reports {
namespace {

using enum Status;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto today = "2026-09-16";

CaseResult case_of(Status status, const std::string& key = ",tp=1,") {
  CaseResult result;
  result.status = status;
  result.key = key;
  return result;
}

Report report_of(const std::vector<Status>& statuses) {
  Report report;
  for (const auto status : statuses) report.cases.push_back(case_of(status));
  report.summary = summarise(report.cases, 0);
  return report;
}

int exit_code_of(const std::vector<Status>& statuses, RunEnd end = {}, bool strict_skips = false) {
  return exit_code(report_of(statuses), end, strict_skips);
}

TEST(ExitCode, TheGateComesFirstThenTimeLimitsThenInfrastructure) {
  EXPECT_EQ(exit_code_of({passed, failed, timeout, crashed}), 1);
  EXPECT_EQ(exit_code_of({passed, untrusted}), 1);
  EXPECT_EQ(exit_code_of({passed, not_run, crashed}), 1);
  EXPECT_EQ(exit_code_of({passed, timeout, crashed, error}), 4);
  EXPECT_EQ(exit_code_of({passed, crashed, skipped}), 3);
  EXPECT_EQ(exit_code_of({error, skipped}), 3);
}

TEST(ExitCode, WhatHappensBesideTheCasesCounts) {
  EXPECT_EQ(exit_code_of({passed}, {.broken = true}), 3);
  EXPECT_EQ(exit_code_of({skipped}, {.broken = true}), 3);
  EXPECT_EQ(exit_code_of({passed, error}, {.late = true}), 4);
  EXPECT_EQ(exit_code_of({failed}, {.late = true, .broken = true}), 1);
  EXPECT_EQ(exit_code_of({failed, error}, {.refused = true}), 2);
  EXPECT_EQ(exit_code_of({failed}, {.signal = 15, .refused = true}), 143);
}

TEST(ExitCode, SkippedCasesAreFineUnlessStrictOrAlone) {
  EXPECT_EQ(exit_code_of({passed, passed}), 0);
  EXPECT_EQ(exit_code_of({passed, skipped}), 0);
  EXPECT_EQ(exit_code_of({passed, skipped}, {}, true), 1);
  EXPECT_EQ(exit_code_of({skipped, skipped}), 77);
}

class KnownFailures : public testing::Test {
 protected:
  static KnownFailure entry(const std::string& match, std::int64_t cases,
                            const std::string& expiry = "2026-12-31") {
    return {.match = match,
            .reason = "rounding",
            .owner = "ann",
            .issue = "https://example.org/7",
            .expiry = expiry,
            .cases = cases};
  }

  Report judged(std::vector<CaseResult> cases, std::vector<KnownFailure> known) const {
    Report report;
    report.cases = std::move(cases);
    report.known_failures = std::move(known);
    judge_known_failures(report, today);
    return report;
  }

  static KnownFailureState state(const Report& report) { return report.known_failures.at(0).state; }
};

TEST_F(KnownFailures, ExcuseWhatTheyMatchAndNothingElse) {
  const auto report =
      judged({case_of(failed, ",tp=2,"), case_of(failed, ",tp=3,"), case_of(passed, ",tp=4,")},
             {entry("*,tp=2,*", 1)});
  EXPECT_EQ(report.cases[0].known_failure, "*,tp=2,*");
  EXPECT_EQ(report.cases[0].status, failed);
  EXPECT_EQ(report.cases[1].known_failure, "");
  EXPECT_EQ(report.summary.failed, 2);
  EXPECT_EQ(report.summary.known_failures, 1);
  EXPECT_EQ(verdict_line(report.summary), "1 passed, 1 failed, 1 skipped");
  EXPECT_EQ(exit_code(report, {}, false), 1);
}

TEST_F(KnownFailures, ExcusedCasesDoNotFailTheGate) {
  for (const auto status : {failed, untrusted, error, timeout, crashed}) {
    const auto report =
        judged({case_of(status, ",tp=2,"), case_of(passed)}, {entry("*,tp=2,*", 1)});
    EXPECT_EQ(state(report), KnownFailureState::known);
    EXPECT_EQ(exit_code(report, {}, true), 0) << name_of(status);
    EXPECT_THAT(other_complaints(report), IsEmpty());
  }
}

TEST_F(KnownFailures, MissingResultIsExcusedByNone) {
  const auto report = judged({case_of(not_run, ",tp=2,"), case_of(passed)}, {entry("*,tp=2,*", 1)});
  EXPECT_EQ(state(report), KnownFailureState::unused);
  EXPECT_EQ(exit_code(report, {}, false), 1);
}

TEST_F(KnownFailures, GateThatNothingPassedIsNoPass) {
  EXPECT_EQ(exit_code(judged({case_of(failed)}, {entry("*", 1)}), {}, false), 77);
}

TEST_F(KnownFailures, HoldOnTheDayOfTheirExpiryAndNotOnTheNext) {
  EXPECT_EQ(state(judged({case_of(failed)}, {entry("*", 1, today)})), KnownFailureState::known);
  const auto late = judged({case_of(failed), case_of(passed)}, {entry("*", 2, "2026-09-15")});
  EXPECT_EQ(state(late), KnownFailureState::expired);
  EXPECT_EQ(late.cases[0].known_failure, "");
}

TEST_F(KnownFailures, ExpiredEntryFailsTheGateEvenIfNothingElseDoes) {
  const auto report = judged({case_of(passed)}, {entry("*,tp=9,*", 0, "2026-09-15")});
  EXPECT_EQ(exit_code(report, {}, false), 1);
  ASSERT_EQ(other_complaints(report).size(), 1U);
  EXPECT_EQ(other_complaints(report)[0].text,
            "known failure '*,tp=9,*': expired on 2026-09-15 (rounding; owner ann, "
            "https://example.org/7)");
}

TEST_F(KnownFailures, UnexpectedPassFailsTheGate) {
  const auto report = judged({case_of(passed, ",tp=2,"), case_of(passed)}, {entry("*,tp=2,*", 1)});
  EXPECT_EQ(state(report), KnownFailureState::unexpected_pass);
  EXPECT_EQ(exit_code(report, {}, false), 1);
  ASSERT_EQ(other_complaints(report).size(), 1U);
  EXPECT_EQ(other_complaints(report)[0].code, "unexpected_pass");
  EXPECT_THAT(other_complaints(report)[0].text, HasSubstr("passed in each of its cases (1)"));
}

TEST_F(KnownFailures, OneFailureAmongPassesKeepsAnEntry) {
  const auto report = judged({case_of(passed), case_of(crashed)}, {entry("*", 2)});
  EXPECT_EQ(state(report), KnownFailureState::known);
}

TEST_F(KnownFailures, PassSaysNothingWhileOtherCasesOfTheEntryHaveNotRun) {
  const auto elsewhere = judged({case_of(passed)}, {entry("*", 2)});
  EXPECT_EQ(state(elsewhere), KnownFailureState::unused);
  EXPECT_EQ(exit_code(elsewhere, {}, false), 0);
  const auto here = judged({case_of(passed), case_of(skipped)}, {entry("*", 2)});
  EXPECT_EQ(state(here), KnownFailureState::unused);
}

TEST_F(KnownFailures, EntryThatMatchesNoCaseIsUnused) {
  const auto report = judged({case_of(passed)}, {entry("*,tp=9,*", 0)});
  EXPECT_EQ(state(report), KnownFailureState::unused);
  EXPECT_EQ(exit_code(report, {}, false), 0);
}

TEST_F(KnownFailures, CasesAreExcusedAnewEachTime) {
  auto report = judged({case_of(failed)}, {entry("*", 1)});
  report.known_failures.clear();
  judge_known_failures(report, today);
  EXPECT_EQ(report.cases[0].known_failure, "");
  EXPECT_EQ(report.summary.known_failures, 0);
}

TEST(FailingCases, ThoseThatDidNotRunStandLast) {
  const auto report = report_of({not_run, passed, failed, not_run, crashed, skipped});
  std::vector<Status> statuses;
  for (const auto* result : failing_cases(report)) statuses.push_back(result->status);
  EXPECT_THAT(statuses, ElementsAre(failed, crashed, not_run, not_run));
}

TEST(Complaints, ExitCodeThatNoCaseExplainsIsOne) {
  auto report = report_of({passed, skipped});
  report.run.exit_code = 3;
  EXPECT_THAT(other_complaints(report),
              ElementsAre(testing::Field(&Reason::text, HasSubstr("exit code 3"))));
  report.run.exit_code = 1;
  EXPECT_THAT(other_complaints(report),
              ElementsAre(Reason{"strict_skips", "1 skipped, which is not allowed here"}));
}

TEST(Complaints, ExitCodeThatACaseExplainsIsNone) {
  auto report = report_of({passed, crashed});
  report.run.exit_code = 3;
  EXPECT_THAT(other_complaints(report), IsEmpty());
  report = report_of({passed});
  report.run.exit_code = 0;
  EXPECT_THAT(other_complaints(report), IsEmpty());
}

TEST(VerdictLine, AddsUpToThePlan) {
  const auto report =
      report_of({passed, failed, untrusted, error, timeout, crashed, skipped, not_run});
  EXPECT_EQ(verdict_line(report.summary), "1 passed, 6 failed, 1 skipped");
}

}  // namespace
}  // namespace vparity::reports
