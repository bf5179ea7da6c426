// The texts that are made of reports. Whole files, and hostile strings in every field, are tested
// by harness/run/outputs/outputs_test.py.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "reports/model/gate.h"
#include "reports/outputs/annotations.h"
#include "reports/outputs/junit.h"
#include "reports/outputs/markdown_summary.h"

namespace vparity::reports {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr auto default_key = ",dp=1,dtype=fp32,tp=1,";

CaseResult case_of(Status status, const std::string& id = "0123456789ab") {
  CaseResult result;
  result.id = id;
  result.key = ",dp=1,dtype=bf16,tp=2,";
  result.status = status;
  result.phase = "done";
  result.repeat = "vparity run m.json --case " + id;
  if (status != Status::passed) result.reason = Reason{"some_code", "some text"};
  return result;
}

Report report_of(std::vector<CaseResult> cases) {
  Report report;
  report.run.matrix = "m";
  report.run.started = "2026-09-16T08:05:03Z";
  report.provenance = {{"version", "1"}, {"git", {{"revision", nullptr}}}, {"simd", nullptr}};
  report.hosts = nlohmann::ordered_json::array();
  report.cases = std::move(cases);
  report.summary = summarise(report.cases, 0);
  return report;
}

std::vector<CaseResult> many(std::size_t count, Status status) {
  return std::vector<CaseResult>(count, case_of(status));
}

std::int64_t lines(const std::string& text) { return std::ranges::count(text, '\n'); }

TEST(Junit, WrongNumbersAreFailuresAndMissingAnswersErrors) {
  using enum Status;
  const auto element = [](Status status) {
    const auto xml = junit_xml(report_of({case_of(status)}), default_key);
    for (const auto* name : {"failure", "error", "skipped"})
      if (xml.find(std::string("<") + name + " ") != std::string::npos) return std::string(name);
    return std::string("none");
  };
  EXPECT_EQ(element(passed), "none");
  for (const auto status : {failed, untrusted}) EXPECT_EQ(element(status), "failure");
  for (const auto status : {error, timeout, crashed, not_run}) EXPECT_EQ(element(status), "error");
  EXPECT_EQ(element(skipped), "skipped");
}

TEST(Junit, IsNotAllGreenWhenTheGateIsNot) {
  auto report = report_of({case_of(Status::passed)});
  report.run.exit_code = 3;
  EXPECT_THAT(junit_xml(report, default_key),
              AllOf(HasSubstr("tests=\"2\" failures=\"1\" errors=\"0\""), HasSubstr("<failure ")));
}

TEST(MarkdownSummary, BeginsWithTheVerdict) {
  auto report = report_of({case_of(Status::failed)});
  EXPECT_THAT(
      markdown_summary(report, default_key),
      StartsWith("# <code>m</code>: failed\n\n**0 passed, 1 failed, 0 skipped** (exit code 1)\n"));
}

TEST(MarkdownSummary, KeepsWithinItsLimitAndCountsWhatItLeavesOut) {
  constexpr std::size_t limit = 20'000;
  const auto page = markdown_summary(report_of(many(1000, Status::failed)), default_key, limit);
  EXPECT_LE(page.size(), limit);
  EXPECT_GE(page.size(), limit / 2);
  std::size_t rows = 0;
  for (auto at = page.find("\n| failed |"); at != std::string::npos;
       at = page.find("\n| failed |", at + 1))
    ++rows;
  EXPECT_NE(page.find("\nand " + std::to_string(1000 - rows) + " more: see parity.json\n"),
            std::string::npos)
      << rows;
  EXPECT_THAT(page, EndsWith("</details>\n"));
}

TEST(MarkdownSummary, KeepsWithinTheLimitWhateverIsLong) {
  auto report = report_of(many(100, Status::skipped));
  const std::string hostile(5000, '|');
  for (std::size_t i = 0; i < report.cases.size(); ++i)
    report.cases[i].reason->text = hostile + std::to_string(i);
  report.run.argv = {hostile};
  for (int i = 0; i < 40; ++i)
    report.known_failures.push_back({.match = hostile,
                                     .reason = hostile,
                                     .owner = hostile,
                                     .issue = hostile,
                                     .expiry = "2000-01-01",
                                     .state = KnownFailureState::expired});
  const auto size = markdown_summary(report, default_key).size();
  EXPECT_LE(size, markdown_limit);
  EXPECT_GE(size, markdown_limit / 2);
}

TEST(Annotations, AreOneLineForEachFailureAndNoneForAPass) {
  EXPECT_EQ(github_annotations(report_of(many(3, Status::passed)), default_key), "");
  const auto one = github_annotations(report_of({case_of(Status::crashed)}), default_key);
  EXPECT_EQ(one,
            "::error title=vparity::crashed 0123456789ab dtype=bf16 tp=2: some_code: some text%0A"
            "repeat: vparity run m.json --case 0123456789ab\n");
}

TEST(Annotations, AreAtMostNineAndACountOfTheRest) {
  EXPECT_EQ(lines(github_annotations(report_of(many(9, Status::failed)), default_key)), 9);
  const auto text = github_annotations(report_of(many(25, Status::failed)), default_key);
  EXPECT_EQ(lines(text), 10);
  EXPECT_THAT(text, EndsWith("::error title=vparity::16 more: see summary.md\n"));
}

TEST(Outputs, ShowKnownFailuresAsSuch) {
  auto report = report_of({case_of(Status::failed), case_of(Status::passed, "ba9876543210")});
  report.known_failures = {{.match = "*,dtype=bf16,*",
                            .reason = "rounding",
                            .owner = "ann",
                            .issue = "https://example.org/7",
                            .expiry = "2026-12-31",
                            .cases = 2}};
  judge_known_failures(report, "2026-09-16");
  EXPECT_THAT(
      junit_xml(report, default_key),
      AllOf(HasSubstr("failures=\"0\" errors=\"0\" skipped=\"1\""),
            HasSubstr("message=\"known failure: rounding (owner ann, https://example.org/7, "
                      "until 2026-12-31)\"")));
  EXPECT_THAT(markdown_summary(report, default_key),
              AllOf(Not(HasSubstr("## Failures")), HasSubstr("<summary>1 known failures</summary>"),
                    ContainsRegex("known [|].*rounding.*ann.*2026-12-31")));
  EXPECT_EQ(github_annotations(report, default_key), "");
}

TEST(Outputs, ShowKnownFailuresThatAreOutOfDate) {
  auto report = report_of({case_of(Status::passed)});
  report.known_failures = {
      {.match = "*,tp=9,*", .reason = "r", .owner = "o", .issue = "i", .expiry = "2026-09-15"}};
  judge_known_failures(report, "2026-09-16");
  for (const auto& text : {junit_xml(report, default_key), github_annotations(report, default_key)})
    EXPECT_THAT(text, HasSubstr("expired on 2026-09-15"));
  EXPECT_THAT(markdown_summary(report, default_key), HasSubstr("expired on 2026-09-15"));
}

}  // namespace
}  // namespace vparity::reports
