// Whole runs, with fake_worker.py in the place of the worker: exit codes, reports, journal, output.
#include "harness/run/run.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/outputs/output_folder.h"
#include "harness/run/reporter.h"
#include "harness/run/run_directory.h"
#include "harness/run/run_record.h"
#include "harness/usage_error.h"
#include "reports/journal.h"
#include "reports/model.h"

namespace vparity::harness {
namespace {

using reports::Status;
using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;
using Seconds = std::chrono::duration<double>;

// Two groups of two cases each: world sizes 1 and 2.
constexpr auto matrix_text = R"({
  "schema": "vparity.matrix/1", "name": "small", "defaults": {"tokens": 2, "seed": 7},
  "sweeps": [{"name": "plain", "measure": ["parity"], "axes": {"tp": [1, 2], "vocab": [8, 9]}}]})";

class Runs : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(directory_);
    write(options_.matrix_files[0], matrix_text);
    setenv("FAKE_START", "ready", 1);
    unsetenv("GITHUB_ACTIONS");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static void SetUpTestSuite() {
    std::filesystem::remove_all(all_reports());
    std::filesystem::create_directories(all_reports());
  }

  /// Every report of these tests is valid by the published schema, in a validator that is not ours.
  static void TearDownTestSuite() {
    const auto command = std::string(VALIDATE_COMMAND " ") + all_reports().string() + "/*.json";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::filesystem::remove_all(all_reports());
  }

  static std::filesystem::path all_reports() {
    return std::filesystem::path(testing::TempDir()) / "runs_reports";
  }

  static void write(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

  static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// The exit code of a run whose jobs' cases go as `cases` says; its output is then in output_.
  int run(const char* cases) {
    setenv("FAKE_CASES", cases, 1);
    testing::internal::CaptureStdout();
    const int code = run_matrices(options_);
    output_ = testing::internal::GetCapturedStdout();
    keep_report();
    return code;
  }

  void keep_report() const {
    const auto kept = std::distance(std::filesystem::directory_iterator(all_reports()), {});
    std::filesystem::copy_file(report_path(), all_reports() / (std::to_string(kept) + ".json"));
  }

  std::filesystem::path report_path() const {
    return std::filesystem::path(options_.out) / "parity.json";
  }

  reports::Report report() const {
    return reports::report_from_json(nlohmann::json::parse(read(report_path())));
  }

  std::vector<Status> statuses() const {
    std::vector<Status> found;
    for (const auto& result : report().cases) found.push_back(result.status);
    return found;
  }

  std::vector<int> attempts() const {
    std::vector<int> found;
    for (const auto& result : report().cases) found.push_back(result.attempts);
    return found;
  }

  std::filesystem::path log_path() const {
    return std::filesystem::path(options_.out) / "logs" / "cpu-threads-1.log";
  }

  std::string last_line() const {
    return output_.substr(output_.rfind('\n', output_.size() - 2) + 1);
  }

  std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("runs_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  RunOptions options_ = [this] {
    RunOptions options;
    options.matrix_files = {directory_ / "small.json"};
    options.out = directory_ / "out";
    options.launcher = LauncherKind::threads;
    options.limits = {Seconds(30), Seconds(30), Seconds(5)};
    options.argv = {"vparity", "run"};
    options.worker = FAKE_WORKER;
    return options;
  }();
  std::string output_;
};

TEST_F(Runs, AllPassedIsZeroAndTheReportSaysWhereItComesFrom) {
  EXPECT_EQ(run("pass"), 0);
  const auto written = report();
  EXPECT_TRUE(written.run.complete);
  EXPECT_EQ(written.run.seed, 7U);
  EXPECT_EQ(written.summary.passed, 4);
  EXPECT_EQ(written.provenance.at("simd"), "AVX2");
  EXPECT_EQ(written.provenance.at("libraries").at("mpi"), "Fake MPI 1");
  EXPECT_EQ(written.hosts.size(), 1U);
  EXPECT_EQ(last_line(), "4 passed, 0 failed, 0 skipped\n");
}

TEST_F(Runs, FailureIsOneLineWithElementMarginAndRepeatCommand) {
  EXPECT_EQ(run("fail pass"), 1);
  const auto failed = report().cases.at(0);
  const auto line_end = "repeat: vparity run " + options_.matrix_files[0] + " --case " + failed.id +
                        " --launcher threads --timeout 30 --launch-timeout 30\n";
  EXPECT_THAT(
      output_,
      HasSubstr("failed " + failed.key +
                ": grad_logits: row 1, column 5, rank 0: expected -1.5, actual nan, margin inf; " +
                line_end));
  EXPECT_EQ(last_line(), "2 passed, 2 failed, 0 skipped\n");
}

TEST_F(Runs, OtherVerdictsOfTheRanksAreKept) {
  EXPECT_EQ(run("untrusted error"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(untrusted, error, untrusted, error));
  EXPECT_THAT(output_, HasSubstr(": pattern_absent: it was pattern_absent; repeat: "));
}

TEST_F(Runs, CrashIsBlamedOnItsCaseAndTheNextGroupStillRuns) {
  options_.plan.filter = "*,vocab=9,*";
  EXPECT_EQ(run("crash"), 3);
  const auto written = report();
  EXPECT_EQ(written.cases.at(0).status, Status::crashed);
  EXPECT_EQ(written.cases.at(1).status, Status::crashed);
  EXPECT_EQ(written.cases.at(0).phase, "forward");
  EXPECT_THAT(written.cases.at(0).reason->text,
              AllOf(HasSubstr("signal 11"), HasSubstr("the ranks' last words")));
}

TEST_F(Runs, SweepGoesOnAfterACrash) {
  EXPECT_EQ(run("crash pass"), 3);
  const auto written = report();
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(crashed, passed, crashed, passed));
  EXPECT_THAT(attempts(), Each(1));
  EXPECT_TRUE(written.run.complete);
  EXPECT_THAT(output_, HasSubstr("cpu-threads-1: starts again with 1 cases\n"));
  EXPECT_EQ(last_line(), "2 passed, 2 failed, 0 skipped\n");
}

TEST_F(Runs, SweepGoesOnAfterATimeout) {
  options_.plan.filter = "*,tp=1,*";
  options_.limits.per_case = Seconds(1);
  EXPECT_EQ(run("hang pass"), 4);
  EXPECT_THAT(statuses(), ElementsAre(Status::timeout, Status::passed));
  EXPECT_THAT(attempts(), Each(1));
}

TEST_F(Runs, EveryCaseThatEndsItsJobIsDecidedByThat) {
  EXPECT_EQ(run("crash"), 3);
  EXPECT_THAT(statuses(), Each(Status::crashed));
  EXPECT_TRUE(report().run.complete);
}

TEST_F(Runs, DeathBetweenTwoCasesIsNoCasesFaultButTheRuns) {
  options_.plan.filter = "*,tp=1,*";
  EXPECT_EQ(run("pass_then_crash pass"), 3);
  EXPECT_THAT(statuses(), Each(Status::passed));
  EXPECT_THAT(attempts(), Each(1));
}

TEST_F(Runs, HangBetweenTwoCasesIsNoCasesFaultButTheRuns) {
  options_.plan.filter = "*,tp=1,*";
  options_.limits.per_case = Seconds(1);
  EXPECT_EQ(run("pass_then_hang pass"), 4);
  EXPECT_THAT(statuses(), Each(Status::passed));
}

TEST_F(Runs, TimeLimitOfACaseIsFour) {
  options_.plan.filter = "*,tp=1,*,vocab=9,*";
  options_.limits.per_case = Seconds(0.5);
  EXPECT_EQ(run("hang"), 4);
  EXPECT_EQ(report().cases.at(0).status, Status::timeout);
  EXPECT_GE(report().cases.at(0).wall_s, 0.5);
}

TEST_F(Runs, LaunchFailureIsAnErrorOfEveryCaseInTheLaunchersWords) {
  setenv("FAKE_START", "fail", 1);
  EXPECT_EQ(run("pass"), 3);
  const auto written = report();
  EXPECT_EQ(written.summary.error, 4);
  EXPECT_THAT(attempts(), Each(0));
  EXPECT_EQ(written.cases.at(0).phase, "launch");
  EXPECT_THAT(written.cases.at(0).reason->text, HasSubstr("no such network"));
}

TEST_F(Runs, LaunchIsTriedTwice) {
  options_.plan.filter = "*,tp=1,*";
  setenv("FAKE_START", "fail", 1);
  run("pass");
  EXPECT_EQ(read(log_path()), "no such network\nno such network\n");
  setenv("FAKE_START", "fail_once", 1);
  options_.out = directory_ / "once";
  EXPECT_EQ(run("pass"), 0);
  EXPECT_THAT(attempts(), Each(1));
}

TEST_F(Runs, RanksThatDieBeforeTheirFirstCaseAreGivenUp) {
  options_.plan.filter = "*,tp=1,*";
  setenv("FAKE_START", "stillborn", 1);
  EXPECT_EQ(run("pass"), 3);
  EXPECT_THAT(statuses(), Each(Status::error));
  EXPECT_THAT(report().cases.at(0).reason->text, HasSubstr("signal 11"));
}

TEST_F(Runs, RefusalByTheRanksIsAUsageError) {
  setenv("FAKE_START", "refuse", 1);
  EXPECT_EQ(run("pass"), 2);
  EXPECT_THAT(report().cases.at(0).reason->text, HasSubstr("tp is not for me"));
}

TEST_F(Runs, ResultsThatMakeNoSenseAreACrash) {
  options_.plan.filter = "*,vocab=9,*";
  for (const auto* behaviour : {"garbage", "foreign"}) {
    options_.out = directory_ / behaviour;
    EXPECT_EQ(run(behaviour), 3);
    EXPECT_EQ(report().cases.at(0).status, Status::crashed);
    EXPECT_THAT(report().cases.at(0).reason->text, HasSubstr("bad event"));
  }
}

TEST_F(Runs, MaxFailuresEndsTheRun) {
  options_.max_failures = 1;
  EXPECT_EQ(run("fail pass"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, not_run, not_run, not_run));
}

TEST_F(Runs, MaxFailuresCountsOverAllGroups) {
  options_.max_failures = 2;
  EXPECT_EQ(run("fail pass"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, passed, failed, not_run));
  EXPECT_THAT(report().cases.at(3).reason->text, HasSubstr("after 2 failures"));
}

TEST_F(Runs, MaxFailuresThatTheLastCaseReachesLeavesNothingOut) {
  options_.max_failures = 2;
  options_.plan.filter = "*,tp=1,*";
  EXPECT_EQ(run("error error"), 3);
  EXPECT_TRUE(report().run.complete);
}

TEST_F(Runs, MaxFailuresOfAResumedRunIncludeThoseOfBefore) {
  options_.max_failures = 1;
  EXPECT_EQ(run("fail pass"), 1);
  options_.resume = true;
  EXPECT_EQ(run("pass"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, not_run, not_run, not_run));
  options_.max_failures = 2;
  EXPECT_EQ(run("pass"), 1);
  EXPECT_THAT(statuses(), ElementsAre(failed, passed, passed, passed));
}

/// Runs with a file of known failures.
class KnownFailures : public Runs {
 protected:
  /// One entry; the last day of its excuse is far away unless given.
  void expect_failure_of(const std::string& match, const std::string& expiry = "9999-12-31") {
    options_.known_failures = directory_ / "known.json";
    write(options_.known_failures,
          R"({"schema": "vparity.known-failures/1", "entries": [{"match": ")" + match +
              R"(", "reason": "rounding", "owner": "ann", "issue": "#7", "expiry": ")" + expiry +
              "\"}]}");
  }
};

TEST_F(KnownFailures, DoNotFailTheRunAndAreShownAsKnown) {
  expect_failure_of("*,vocab=8,*");
  EXPECT_EQ(run("fail pass"), 0);
  EXPECT_EQ(last_line(), "2 passed, 0 failed, 2 skipped\n");
  EXPECT_THAT(output_, AllOf(HasSubstr("\nknown 2: rounding (#7, until 9999-12-31)\n"),
                             Not(HasSubstr("failed ,"))));
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, passed, failed, passed));
  EXPECT_EQ(report().cases.at(0).known_failure, "*,vocab=8,*");
  EXPECT_EQ(report().known_failures.at(0).cases, 2);
}

TEST_F(KnownFailures, VerboseRunShowsEach) {
  expect_failure_of("*,vocab=8,*");
  options_.verbosity = Verbosity::verbose;
  EXPECT_EQ(run("fail pass"), 0);
  EXPECT_THAT(output_, HasSubstr("\nknown failed ," + std::string("alignment=")));
}

TEST_F(KnownFailures, OtherFailuresStillFailTheRun) {
  expect_failure_of("*,tp=1,*");
  EXPECT_EQ(run("fail pass"), 1);
  EXPECT_EQ(last_line(), "2 passed, 1 failed, 1 skipped\n");
}

TEST_F(KnownFailures, UnexpectedPassFailsTheRunWithALineAlsoWhenQuiet) {
  expect_failure_of("*,vocab=8,*");
  options_.verbosity = Verbosity::quiet;
  EXPECT_EQ(run("pass"), 1);
  EXPECT_EQ(output_,
            "known failure '*,vocab=8,*': passed in each of its cases (2), so the entry can go "
            "(rounding; owner ann, #7)\n4 passed, 0 failed, 0 skipped\n");
}

TEST_F(KnownFailures, PassOfSomeOfAnEntrysCasesSaysNothing) {
  expect_failure_of("*,vocab=8,*");
  options_.plan.filter = "*,tp=1,*";
  EXPECT_EQ(run("pass"), 0);
}

TEST_F(KnownFailures, ExpiredEntryExcusesNothing) {
  expect_failure_of("*,vocab=8,*", "2001-01-01");
  EXPECT_EQ(run("fail pass"), 1);
  EXPECT_EQ(last_line(), "2 passed, 2 failed, 0 skipped\n");
  EXPECT_THAT(output_, HasSubstr("expired on 2001-01-01"));
}

TEST_F(KnownFailures, CountForNoLimitOfFailures) {
  expect_failure_of("*,vocab=8,*");
  options_.max_failures = 1;
  EXPECT_EQ(run("fail pass"), 0);
}

TEST_F(KnownFailures, ResumedRunGoesByTheListItIsGiven) {
  EXPECT_EQ(run("fail pass"), 1);
  options_.resume = true;
  expect_failure_of("*,vocab=8,*");
  EXPECT_EQ(run("pass"), 0);
  options_.known_failures.clear();
  EXPECT_EQ(run("pass"), 1);
  EXPECT_EQ(report().cases.at(0).known_failure, "");
}

TEST_F(KnownFailures, BadFileIsRefusedBeforeAnyWork) {
  expect_failure_of("*,vocab=8,*", "soon");
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("known.json: /entries/0/expiry: ")));
  EXPECT_FALSE(std::filesystem::exists(options_.out));
}

TEST_F(Runs, OutputsForCiSystemsLieBesideTheReport) {
  EXPECT_EQ(run("fail pass"), 1);
  EXPECT_EQ(report().run.exit_code, 1);
  const std::filesystem::path out = options_.out;
  EXPECT_THAT(read(out / "junit.xml"), HasSubstr("tests=\"4\" failures=\"2\" errors=\"0\""));
  EXPECT_THAT(read(out / "summary.md"),
              HasSubstr("**2 passed, 2 failed, 0 skipped** (exit code 1)"));
}

TEST_F(Runs, AnnotationsComeBeforeTheVerdict) {
  setenv("GITHUB_ACTIONS", "true", 1);
  EXPECT_EQ(run("fail pass"), 1);
  unsetenv("GITHUB_ACTIONS");
  EXPECT_THAT(output_, ContainsRegex("\n::error title=vparity::failed [^\n]*\n2 passed, 2 failed"));
}

TEST_F(Runs, ShardSaysWhereItsCasesStandInTheWhole) {
  options_.plan.shard_count = 2;
  std::vector<std::int64_t> positions;
  for (const int index : {1, 2}) {
    options_.plan.shard_index = index;
    options_.out = directory_ / std::to_string(index);
    EXPECT_EQ(run("pass"), 0);
    const auto shard = report().run;
    EXPECT_EQ(shard.shard_total, 4);
    EXPECT_EQ(shard.shard_positions.size(), report().cases.size());
    positions.insert(positions.end(), shard.shard_positions.begin(), shard.shard_positions.end());
  }
  EXPECT_THAT(positions, testing::UnorderedElementsAre(0, 1, 2, 3));
}

TEST_F(Runs, MaxFailuresCountsCrashesToo) {
  options_.max_failures = 1;
  EXPECT_EQ(run("crash pass"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(crashed, not_run, not_run, not_run));
  for (const int later : {1, 2, 3}) {  // the last two are of another group
    EXPECT_EQ(report().cases.at(later).reason->code, "max_failures");
  }
  EXPECT_THAT(output_, HasSubstr("not_run 3 cases: the run ended after 1 failures"));
}

TEST_F(Runs, InterruptLeavesAValidReportAndResumingGivesTheWholeOne) {
  EXPECT_EQ(run("pass interrupt"), 130);
  EXPECT_EQ(report().summary.passed, 1);
  EXPECT_FALSE(report().run.complete);
  const auto id = report().run.id;

  options_.resume = true;
  EXPECT_EQ(run("pass"), 0);
  const auto whole = report();
  EXPECT_TRUE(whole.run.complete);
  EXPECT_EQ(whole.run.id, id);
  EXPECT_EQ(whole.cases.at(0).attempts, 1);
  EXPECT_EQ(whole.cases.at(1).attempts, 2);
  EXPECT_EQ(last_line(), "4 passed, 0 failed, 0 skipped\n");
}

TEST_F(Runs, ResumingKeepsVerdictsAndTriesCrashesAgain) {
  EXPECT_EQ(run("fail crash"), 1);
  options_.resume = true;
  EXPECT_EQ(run("pass"), 1);
  using enum Status;
  EXPECT_THAT(statuses(), ElementsAre(failed, passed, failed, passed));
}

TEST_F(Runs, ResumingAfterAKillInTheMiddleOfALineGoesOn) {
  EXPECT_EQ(run("pass"), 0);
  const auto journal = std::filesystem::path(options_.out) / "journal.jsonl";
  std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 20);
  options_.resume = true;
  EXPECT_EQ(run("pass"), 0);
  EXPECT_EQ(report().cases.at(3).attempts, 2);
}

TEST_F(Runs, ResumingFromAJournalWithoutWhatAReportNeedsIsRefused) {
  EXPECT_EQ(run("pass"), 0);
  const auto journal = options_.out + "/journal.jsonl";
  auto text = read(journal);
  const std::string member = "\"cores\":";
  ASSERT_THAT(text, HasSubstr(member));
  write(journal, text.replace(text.find(member), member.size(), "\"corse\":"));
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--resume"), HasSubstr("cores"))));
}

TEST_F(Runs, ResumingTheRunOfAnotherBuildIsRefused) {
  EXPECT_EQ(run("pass"), 0);
  const auto journal = options_.out + "/journal.jsonl";
  auto text = read(journal);
  const std::string member = "\"compiler\":\"";
  write(journal, text.replace(text.find(member), member.size(), member + "another "));
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("build"), HasSubstr("another "))));
}

TEST_F(Runs, ResumingWithAnotherPlanIsRefusedNamingTheDifference) {
  EXPECT_EQ(run("pass"), 0);
  options_.resume = true;
  options_.plan.seed = 8;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("seed 7, not 8")));
  options_.plan.seed = 7;
  options_.plan.filter = "*,tp=1,*";
  EXPECT_THAT([&] { run_matrices(options_); }, ThrowsMessage<UsageError>(HasSubstr("other cases")));
}

TEST_F(Runs, FolderOfARunThatIsGoingOnIsRefused) {
  EXPECT_EQ(run("pass"), 0);
  const auto other = reports::JournalWriter::reopen(options_.out + "/journal.jsonl");
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("another run is going on")));
}

TEST_F(Runs, FoldersChosenInTheSameSecondDiffer) {
  EXPECT_EQ(make_unused_folder(options_.out), options_.out);
  EXPECT_EQ(make_unused_folder(options_.out), options_.out + "-2");
}

TEST_F(Runs, FolderForOperandsIsTriedBeforeAnyWork) {
  write(options_.out + "-file", "");
  options_.save_failing = options_.out + "-file";
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("--save-failing")));
  EXPECT_FALSE(std::filesystem::exists(options_.out));
}

TEST_F(Runs, UsedFolderIsRefusedWithoutResume) {
  std::filesystem::create_directories(options_.out);
  write(options_.out + "/file", "");
  EXPECT_THAT([&] { run_matrices(options_); }, ThrowsMessage<UsageError>(HasSubstr("--resume")));
}

TEST_F(Runs, ResumingWithoutAJournalIsRefused) {
  options_.resume = true;
  EXPECT_THAT([&] { run_matrices(options_); },
              ThrowsMessage<UsageError>(HasSubstr("journal.jsonl")));
}

TEST_F(Runs, NothingThatCanRunHereIs77OrWhatStrictnessMakesOfIt) {
  options_.plan.max_ranks = 1;
  options_.plan.filter = "*,tp=2,*";
  EXPECT_EQ(run("pass"), 77);
  EXPECT_EQ(report().summary.skipped, 2);
  EXPECT_EQ(last_line(), "0 passed, 0 failed, 2 skipped\n");
  options_.out = directory_ / "strict";
  options_.strict_skips = true;
  EXPECT_EQ(run("pass"), 1);
}

TEST_F(Runs, OutputThatCannotBeWrittenIsThreeAndTheVerdictStands) {
  run("pass");
  const auto junit = std::filesystem::path(options_.out) / "junit.xml";
  std::filesystem::remove(junit);
  std::filesystem::create_directory(junit);  // no file can take its place
  options_.resume = true;
  testing::internal::CaptureStderr();
  EXPECT_EQ(run("pass"), 3);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("junit.xml: Is a directory"));
  EXPECT_EQ(last_line(), "4 passed, 0 failed, 0 skipped\n");
  EXPECT_EQ(report().run.exit_code, 3);
}

TEST_F(Runs, WordsOfRanksGiveATerminalNoOrders) {
  const auto record = RunRecord::start(directory_ / "journal", {}, {}, {});
  testing::internal::CaptureStderr();
  Reporter(Verbosity::normal, record).warn("\x1b[2Jgone\nvparity: all is well\r");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "vparity run: \xEF\xBF\xBD[2Jgone vparity: all is well \n");
}

TEST_F(Runs, RequiredDeviceThatNoCaseUsedIsThree) {
  options_.require_device = true;
  EXPECT_EQ(run("pass"), 3);
}

TEST_F(Runs, QuietRunPrintsFailuresAndTheVerdictOnly) {
  options_.verbosity = Verbosity::quiet;
  EXPECT_EQ(run("pass"), 0);
  EXPECT_EQ(output_, "4 passed, 0 failed, 0 skipped\n");
}

TEST_F(Runs, ClosingWordsShowEverySweepAndTheReport) {
  EXPECT_EQ(run("pass"), 0);
  EXPECT_THAT(output_, ContainsRegex("plain +4 +4 +0[.]25 \\(loss\\)"));
  EXPECT_THAT(output_, HasSubstr("report: " + options_.out + "/parity.json\n"));
}

TEST_F(Runs, LauncherThatIsNotOfferedOrDoesNotFitIsRefused) {
  options_.launcher = LauncherKind::srun;
  EXPECT_THAT([&] { run_matrices(options_); }, ThrowsMessage<UsageError>(HasSubstr("srun")));
  options_.launcher = LauncherKind::threads;
  options_.plan.transport = Transport::mpi;
  EXPECT_THAT([&] { run_matrices(options_); }, ThrowsMessage<UsageError>(HasSubstr("--transport")));
}

}  // namespace
}  // namespace vparity::harness
