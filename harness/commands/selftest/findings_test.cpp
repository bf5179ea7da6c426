#include "harness/commands/selftest/findings.h"

#include <gmock/gmock.h>

#include <limits>

#include "harness/commands/selftest/findings_table.h"

namespace vparity::harness {
namespace {

using reports::CaseResult;
using reports::Status;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CaseResult of_status(Status status, std::string id = "000000000000") {
  CaseResult result;
  result.id = std::move(id);
  result.key = ",a=b,";
  result.status = status;
  result.reason = {"some_code", "some text"};
  return result;
}

CaseResult with_error_ratio(std::string id, std::string output, double error_ratio) {
  CaseResult result = of_status(Status::failed, std::move(id));
  reports::OutputResult wrong;
  wrong.name = std::move(output);
  wrong.mismatches = 1;
  wrong.error_ratio = error_ratio;
  result.outputs = {wrong};
  return result;
}

/// What is found about one provider with these cases.
Finding finding(bool has_bug, const std::vector<CaseResult>& cases) {
  Subject subject{"known-bug-entropy-sign", has_bug, {}};
  for (std::size_t i = 0; i < cases.size(); ++i) subject.cases.push_back(i);
  return judge({subject}, cases).at(0);
}

Judgement judgement(bool has_bug, const std::vector<Status>& statuses) {
  std::vector<CaseResult> cases;
  for (const Status status : statuses) cases.push_back(of_status(status));
  return finding(has_bug, cases).judgement;
}

int exit_code(bool has_bug, const std::vector<Status>& statuses, const GroupEnd& end = {}) {
  std::vector<CaseResult> cases;
  for (const Status status : statuses) cases.push_back(of_status(status));
  return exit_code_of({finding(has_bug, cases)}, cases, end);
}

TEST(Judgement, OneCaseWithWrongResultsCatchesABug) {
  EXPECT_EQ(judgement(true, {Status::passed, Status::failed}), Judgement::caught);
  EXPECT_EQ(judgement(true, {Status::crashed, Status::failed}), Judgement::caught);
}

TEST(Judgement, NothingElseDoes) {
  EXPECT_EQ(judgement(true, {Status::passed, Status::passed}), Judgement::missed);
  EXPECT_EQ(judgement(true, {Status::untrusted}), Judgement::missed);
  EXPECT_EQ(judgement(true, {Status::skipped}), Judgement::missed);
  for (const Status end : {Status::crashed, Status::timeout, Status::error, Status::not_run})
    EXPECT_EQ(judgement(true, {Status::passed, end}), Judgement::undecided);
}

TEST(Judgement, RightKernelsPassWhereTheyRun) {
  EXPECT_EQ(judgement(false, {Status::passed, Status::skipped}), Judgement::passed);
  EXPECT_EQ(judgement(false, {Status::skipped}), Judgement::failed);
  EXPECT_EQ(judgement(false, {Status::passed, Status::failed}), Judgement::failed);
  EXPECT_EQ(judgement(false, {Status::passed, Status::untrusted}), Judgement::failed);
  EXPECT_EQ(judgement(false, {Status::passed, Status::crashed}), Judgement::undecided);
}

TEST(Judgement, EvidenceIsTheLargestErrorRatio) {
  const Finding found = finding(true, {with_error_ratio("aaaaaaaaaaaa", "loss", 3),
                                       with_error_ratio("bbbbbbbbbbbb", "entropy", 7),
                                       with_error_ratio("cccccccccccc", "lse", 5)});
  EXPECT_EQ(found.failed, 3);
  EXPECT_EQ(found.case_id, "bbbbbbbbbbbb");
  EXPECT_EQ(found.evidence, "entropy");
  EXPECT_EQ(found.error_ratio, 7);
}

TEST(Judgement, WithoutAnOutputOutOfItsBoundTheReasonIsTheEvidence) {
  const Finding found = finding(true, {of_status(Status::failed)});
  EXPECT_EQ(found.evidence, "some_code");
  EXPECT_EQ(found.error_ratio, 0);
}

TEST(SelftestExitCode, IsZeroIfBugsAreCaughtAndRightKernelsPass) {
  EXPECT_EQ(exit_code(true, {Status::failed, Status::passed}), 0);
  EXPECT_EQ(exit_code(false, {Status::passed}), 0);
}

TEST(SelftestExitCode, IsOneForAMissedBugOrARightProviderThatFails) {
  EXPECT_EQ(exit_code(true, {Status::passed}), 1);
  EXPECT_EQ(exit_code(false, {Status::failed}), 1);
  EXPECT_EQ(exit_code(true, {Status::failed, Status::not_run}), 1);
}

TEST(SelftestExitCode, SaysHowARunBrokeEvenWhereTheBugIsCaught) {
  EXPECT_EQ(exit_code(true, {Status::failed, Status::timeout}), 4);
  EXPECT_EQ(exit_code(true, {Status::failed, Status::crashed}), 3);
  EXPECT_EQ(exit_code(true, {Status::error}), 3);
  EXPECT_EQ(exit_code(true, {Status::failed}, {.ended_late = true}), 4);
  EXPECT_EQ(exit_code(true, {Status::failed}, {.ended_badly = true}), 3);
  EXPECT_EQ(exit_code(true, {Status::failed}, {.refused = true}), 2);
  EXPECT_EQ(exit_code(true, {Status::not_run}, {.signal = 15}), 143);
}

TEST(SelftestWords, ATableRowPerProvider) {
  const auto infinite = std::numeric_limits<double>::infinity();
  EXPECT_THAT(
      findings_table({finding(
          true, {with_error_ratio("aaaaaaaaaaaa", "lse", 1234), of_status(Status::passed)})}),
      ContainsRegex("\nknown-bug-entropy-sign +caught +1/2 +1\\.23e\\+03 +aaaaaaaaaaaa +lse\n$"));
  EXPECT_THAT(findings_table({finding(true, {with_error_ratio("aaaaaaaaaaaa", "lse", infinite)})}),
              HasSubstr(" inf  aaaaaaaaaaaa  lse"));
  EXPECT_THAT(findings_table({finding(true, {of_status(Status::passed)})}),
              ContainsRegex("\nknown-bug-entropy-sign +missed +0/1\n$"));
}

TEST(SelftestWords, AMissedBugIsDescribed) {
  const std::vector<CaseResult> cases{of_status(Status::passed)};
  EXPECT_THAT(complaints({finding(true, cases)}, {{"known-bug-entropy-sign", "*,tp=2,*"}}, cases),
              AllOf(HasSubstr("missed known-bug-entropy-sign ("), HasSubstr("NeMo-RL"),
                    HasSubstr("its cases: *,tp=2,*\n")));
}

TEST(SelftestWords, CasesThatEndedOtherwiseThanTheyShouldAreNamed) {
  const std::vector<CaseResult> caught{of_status(Status::failed), of_status(Status::crashed)};
  EXPECT_THAT(complaints({finding(true, caught)}, {}, caught),
              AllOf(HasSubstr("crashed ,a=b,"), Not(HasSubstr("failed ,a=b,"))));
  const std::vector<CaseResult> failed{of_status(Status::passed), of_status(Status::failed),
                                       of_status(Status::failed), of_status(Status::untrusted)};
  EXPECT_THAT(complaints({finding(false, failed)}, {}, failed),
              ContainsRegex("^failed ,a=b,.* \\(2 more of known-bug-entropy-sign\\)\n$"));
  const std::vector<CaseResult> as_it_should{of_status(Status::failed), of_status(Status::passed)};
  EXPECT_THAT(complaints({finding(true, as_it_should)}, {}, as_it_should), IsEmpty());
  const std::vector<CaseResult> interrupted{of_status(Status::not_run), of_status(Status::not_run)};
  EXPECT_THAT(complaints({finding(true, interrupted)}, {}, interrupted), IsEmpty());
}

TEST(SelftestWords, TheLastLineCountsBugsAlone) {
  EXPECT_EQ(caught_line({finding(false, {of_status(Status::passed)}),
                         finding(true, {of_status(Status::failed)}),
                         finding(true, {of_status(Status::passed)})}),
            "1 of 2 caught");
}

}  // namespace
}  // namespace vparity::harness
