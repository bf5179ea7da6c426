#include "reports/comparison/comparison.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <functional>
#include <limits>

#include "reports/comparison/comparison_text.h"

namespace vparity::reports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto default_key = ",dp=1,tp=1,";

CaseResult case_of(const std::string& id, Measure measure) {
  CaseResult result;
  result.measured = unmeasured(measure);
  result.id = id;
  result.key = ",dp=1,tp=2,";
  result.params = {{"tp", 2}};
  result.status = Status::passed;
  result.repeat = "vparity run m.json --case " + id;
  return result;
}

CaseResult checked(const std::string& id, Status status = Status::passed,
                   double error_ratio = 0.2) {
  auto result = case_of(id, Measure::parity);
  result.status = status;
  result.outputs = {{.name = "loss", .error_ratio = error_ratio, .worst = {}}};
  return result;
}

CaseResult timed(const std::string& id, double seconds) {
  auto result = case_of(id, Measure::throughput);
  result.timing().variant = "fast";
  result.timing().samples_s = {1.5 * seconds, seconds, 0.9 * seconds};  // the median is `seconds`
  return result;
}

/// Each call makes a run with a new id.
ComparedRun run_of(std::vector<CaseResult> cases) {
  static int runs = 0;
  Report report;
  report.run.id = "r" + std::to_string(++runs);
  report.run.started = "2026-09-16T08:05:03Z";
  report.run.complete = true;
  report.provenance = {{"version", "1"},
                       {"git", {{"revision", nullptr}, {"dirty", nullptr}}},
                       {"build", {{"type", "Release"}, {"compiler", "GNU"}, {"flags", "-O3"}}},
                       {"libraries", nlohmann::ordered_json::object()},
                       {"simd", "AVX2"}};
  report.hosts = {{{"name", "h"},
                   {"cpu", "c"},
                   {"cores", 2},
                   {"gpus", nlohmann::ordered_json::array()},
                   {"environment", nlohmann::ordered_json::object()}}};
  report.fingerprint = "0123456789abcdef";
  report.cases = std::move(cases);
  return {"folder", report};
}

using Runs = std::vector<ComparedRun>;

/// One run for each time, with one case that takes it.
Runs processes(const std::vector<double>& seconds) {
  Runs runs;
  for (const double one : seconds) runs.push_back(run_of({timed("a", one)}));
  return runs;
}

const std::vector<double> usual{1, 1.001, 0.999, 1}, slower{1.1, 1.1, 1.101, 1.1};

Comparison compare(const Runs& base, const Runs& head, const ComparisonOptions& options = {}) {
  return compare_runs(base, head, options);
}

Comparison compare_cases(std::vector<CaseResult> base, std::vector<CaseResult> head) {
  return compare({run_of(std::move(base))}, {run_of(std::move(head))});
}

ParityChange change_of(Status base, Status head) {
  return compare_cases({checked("a", base)}, {checked("a", head)}).parity.at(0).change;
}

TEST(Parity, ChangesByWhetherItPassesTheGate) {
  using enum Status;
  EXPECT_EQ(change_of(passed, failed), ParityChange::regressed);
  EXPECT_EQ(change_of(skipped, crashed), ParityChange::regressed);
  EXPECT_EQ(change_of(timeout, passed), ParityChange::fixed);
  EXPECT_EQ(change_of(passed, skipped), ParityChange::changed);
  EXPECT_EQ(change_of(failed, crashed), ParityChange::changed);
  EXPECT_TRUE(compare_cases({checked("a")}, {checked("a")}).parity.empty());
}

TEST(Parity, OfAKnownFailureIsNoRegression) {
  auto known = checked("a", Status::failed);
  known.known_failure = "*";
  const auto comparison = compare_cases({checked("a")}, {known});
  EXPECT_EQ(comparison.count(ParityChange::regressed), 0);
  EXPECT_EQ(comparison.count(ParityChange::changed), 1);
}

TEST(Parity, TellsOfErrorRatiosThatGrew) {
  const auto grows = [](double base, double head) {
    const auto comparison =
        compare_cases({checked("a", Status::passed, base)}, {checked("a", Status::passed, head)});
    return comparison.count(ParityChange::error_ratio_grew) == 1;
  };
  EXPECT_TRUE(grows(0.2, 0.8));
  EXPECT_FALSE(grows(0.2, 0.24));
  EXPECT_FALSE(grows(0.001, 0.05)) << "far below the bound";
  EXPECT_FALSE(grows(0.8, 0.2));
}

TEST(Parity, OfRegressedCasesTellsOfTheErrorRatiosOutsideTheWorstFirst) {
  auto fails = checked("a", Status::failed, 3);
  fails.outputs.push_back({.name = "entropy", .error_ratio = 40, .worst = {}});
  fails.outputs.push_back({.name = "lse", .error_ratio = 0.05, .worst = {}});
  const auto comparison = compare_cases(
      {checked("a", Status::passed, 0.2), checked("b", Status::passed, 0.9), checked("c")},
      {fails, checked("b", Status::failed, 1.01), checked("c", Status::failed, 0.2),
       checked("new", Status::failed, 7)});
  std::vector<std::string> found;
  for (const auto& one : comparison.parity) {
    std::string text = one.id;
    for (const auto& [output, base, head] : one.error_ratios)
      text += fmt::format(" {} {} {}", output, base.value_or(-1), head);
    found.push_back(text);
  }
  EXPECT_THAT(found,
              ElementsAre("a entropy -1 40 loss 0.2 3", "new loss -1 7", "b loss 0.9 1.01", "c"));
  const auto text = comparison_text(comparison, default_key, false);
  EXPECT_THAT(text, HasSubstr("entropy - -> 40, loss 0.2 -> 3"));
  EXPECT_THAT(text, HasSubstr("passed -> failed"));
}

TEST(Parity, NamesNewAndMissingCasesAndTheWorstFirst) {
  const auto comparison = compare_cases({checked("gone"), checked("same"), checked("breaks")},
                                        {checked("same"), checked("breaks", Status::failed),
                                         checked("new"), checked("bad", Status::failed)});
  std::vector<std::string> found;
  for (const auto& one : comparison.parity)
    found.push_back(fmt::format("{} {}", one.id, name_of(one.change)));
  EXPECT_THAT(found, ElementsAre("breaks regressed", "bad regressed", "new new", "gone missing"));
  EXPECT_EQ(comparison.parity_compared, 2);
}

TEST(Parity, OfSeveralRunsIsThatOfTheWorst) {
  const auto comparison = compare({run_of({checked("a")}), run_of({checked("a")})},
                                  {run_of({checked("a", Status::failed)}), run_of({checked("a")})});
  EXPECT_EQ(comparison.count(ParityChange::regressed), 1);
}

TEST(Throughput, OfSeveralProcessesHasAVerdict) {
  const auto comparison = compare(processes(usual), processes(slower));
  const auto& one = comparison.throughput.at(0);
  EXPECT_EQ(one.verdict, "regressed");
  EXPECT_NEAR(one.change->ratio, 0.1, 0.001);
  EXPECT_THAT(one.base_s, ElementsAre(1, 1.001, 0.999, 1));
  EXPECT_FALSE(one.reason);
  EXPECT_EQ(compare(processes(slower), processes(usual)).throughput.at(0).verdict, "improved");
  EXPECT_EQ(compare(processes(usual), processes(usual)).throughput.at(0).verdict, "equivalent");
}

TEST(Throughput, OfOneProcessHasNone) {
  const auto comparison = compare(processes({1}), processes({2}));
  const auto& one = comparison.throughput.at(0);
  EXPECT_EQ(one.verdict, "inconclusive");
  EXPECT_EQ(one.reason->code, "too_few_pairs");
  EXPECT_DOUBLE_EQ(*one.observed, 1);
  EXPECT_FALSE(one.change);
  ASSERT_EQ(comparison.notes.size(), 1u);
  EXPECT_THAT(comparison.notes[0], HasSubstr("1 process of each side"));
}

/// The code of the reason why the case is not comparable after a change of head's last run.
std::string obstacle(const std::function<void(Report&)>& change) {
  auto head = processes(slower);
  change(head.back().report);
  const auto comparison = compare(processes(usual), head);
  EXPECT_EQ(comparison.throughput.at(0).verdict, "not_comparable");
  EXPECT_NE(exit_code(comparison), 0);
  const auto& reason = comparison.throughput.at(0).reason;
  return reason ? reason->code : "";
}

TEST(Throughput, IsNotComparedWhereTimesSayNothing) {
  EXPECT_EQ(obstacle([](Report& run) { run.cases[0].status = Status::skipped; }), "not_passed");
  EXPECT_EQ(obstacle([](Report& run) { run.cases.push_back(checked("a", Status::failed)); }),
            "parity_not_passed");
  EXPECT_EQ(obstacle([](Report& run) { run.cases[0].timing().oversubscribed = true; }),
            "oversubscribed");
  EXPECT_EQ(obstacle([](Report& run) {
              run.cases[0].timing().samples_s = {1, 1};
            }),
            "too_few_samples");
  EXPECT_EQ(obstacle([](Report& run) { run.cases.clear(); }), "missing_in_run");
  for (const double bad :
       {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(obstacle([=](Report& run) { run.cases[0].timing().samples_s[0] = bad; }),
              "impossible_times");
}

TEST(Throughput, OfKernelsThatAreWrongNowIsARegression) {
  auto right = timed("a", 1), wrong = timed("a", 1);
  wrong.status = Status::failed;
  EXPECT_EQ(exit_code(compare_cases({right}, {wrong})), 1);
  EXPECT_EQ(exit_code(compare_cases({}, {wrong})), 1);
  EXPECT_EQ(exit_code(compare_cases({wrong}, {right})), 5);
  EXPECT_EQ(exit_code(compare_cases({wrong}, {wrong})), 5);
  EXPECT_EQ(compare_cases({right}, {wrong}).throughput.at(0).reason->code, broken);
}

TEST(Throughput, IsNotComparedBetweenMachines) {
  EXPECT_EQ(obstacle([](Report& run) { run.fingerprint = "f"; }), "fingerprint");
  auto head = processes(slower);
  for (auto& run : head) {
    run.report.fingerprint = "f";
    run.report.hosts[0]["cores"] = 4;
  }
  const auto reason = compare(processes(usual), head).throughput.at(0).reason;
  EXPECT_EQ(reason->text, "host 0/cores: 2 and 4");
}

TEST(Throughput, IsComparedAcrossBuildsWhereThatIsAsked) {
  auto head = processes(slower);
  for (auto& run : head) {
    run.report.fingerprint = "f";
    run.report.provenance["build"]["flags"] = "-O2";
  }
  const auto apart = compare(processes(usual), head);
  EXPECT_THAT(apart.throughput.at(0).reason->text, HasSubstr("build/flags: \"-O3\" and \"-O2\""));
  EXPECT_EQ(compare(processes(usual), head, {.across_builds = true}).throughput.at(0).verdict,
            "regressed");
  head.back() = processes({1.1})[0];  // one run of another build than its side's
  EXPECT_EQ(compare(processes(usual), head, {.across_builds = true}).throughput.at(0).verdict,
            "not_comparable");
}

TEST(Throughput, NamesNewAndMissingCases) {
  const auto comparison = compare_cases({timed("gone", 1)}, {timed("new", 1)});
  EXPECT_EQ(comparison.count("missing"), 1);
  EXPECT_EQ(comparison.count("new"), 1);
}

TEST(ExitCode, IsOneForARegressionFiveForNoAnswerElseZero) {
  EXPECT_EQ(exit_code(compare(processes(usual), processes(slower))), 1);
  EXPECT_EQ(exit_code(compare(processes(usual), processes(usual))), 0);
  EXPECT_EQ(exit_code(compare(processes(slower), processes(usual))), 0);
  EXPECT_EQ(exit_code(compare(processes({1}), processes({1}))), 5);
  EXPECT_EQ(exit_code(compare_cases({checked("a")}, {checked("a", Status::failed)})), 1);
  EXPECT_EQ(exit_code(compare_cases({checked("a")}, {checked("a"), checked("b", Status::failed)})),
            1);
  EXPECT_EQ(exit_code(compare_cases({checked("a")}, {checked("a"), checked("b")})), 0);
  EXPECT_EQ(exit_code(compare_cases({checked("a"), checked("b")}, {checked("a")})), 5);
  EXPECT_EQ(exit_code(compare_cases({checked("a")}, {checked("a", Status::skipped)})), 5);
  EXPECT_EQ(exit_code(compare_cases({checked("a", Status::failed)}, {checked("a")})), 0);
}

TEST(Text, FitsEightyColumnsAndEndsWithTheVerdict) {
  auto base = processes(usual), head = processes(slower);
  head[0].report.run.seed = 5;
  head[0].path = std::string(200, 'x');
  for (auto* side : {&base, &head})
    for (auto& run : *side)
      run.report.cases[0].key = "," + std::string(50, 'a') + "=" + std::string(90, 'b') + ",";
  const auto text = comparison_text(compare(base, head), default_key, true);
  for (std::size_t begin = 0, end = 0; end + 1 < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    EXPECT_LE(end - begin, 80u) << text.substr(begin, end - begin);
  }
  EXPECT_THAT(text, HasSubstr("regressed\n"));
  EXPECT_THAT(text,
              testing::EndsWith(
                  "\n1 regressed, 0 improved, 0 equivalent, 0 inconclusive, 0 not comparable\n"));
}

TEST(Text, ShowsTheMedianOfAnEvenCountOfProcesses) {
  // By hand: (2 + 4) / 2 and (6 + 8) / 2.
  const auto comparison = compare(processes({1, 2, 4, 5}), processes({5, 6, 8, 9}));
  EXPECT_THAT(comparison_text(comparison, default_key, true), HasSubstr("3 s -> 7 s"));
}

TEST(Text, LeavesOutWhatDidNotChangeUnlessAllIsAsked) {
  const auto comparison = compare(processes(usual), processes(usual));
  EXPECT_THAT(comparison_text(comparison, default_key, false), Not(HasSubstr("\na    ")));
  EXPECT_THAT(comparison_text(comparison, default_key, true), HasSubstr("\na    "));
}

TEST(Comparison, LastLineNamesRegressionsOfParityBesideThroughput) {
  const auto head = run_of({checked("p", Status::failed, 3), timed("t", 1)});
  const auto text = comparison_text(
      compare_runs({run_of({checked("p"), timed("t", 1)})}, {head}, {}), default_key, false);
  EXPECT_THAT(text, HasSubstr("0 not comparable; parity: 1 regressed\n"));
}

TEST(Comparison, RunOnBothSidesIsNoted) {
  const auto one = run_of({checked("p")});
  EXPECT_THAT(compare_runs({one}, {one}, {}).notes,
              ::testing::Contains(HasSubstr("on both sides")));
  EXPECT_THAT(compare_runs({one}, {run_of({checked("p")})}, {}).notes,
              Not(::testing::Contains(HasSubstr("on both sides"))));
}

}  // namespace
}  // namespace vparity::reports
