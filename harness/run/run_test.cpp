// Exit codes, reports, journal and output of whole runs.
#include "harness/run/run_fixture.h"

namespace vparity::harness {
namespace {

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

TEST_F(Runs, FailureIsOneLineWithElementErrorRatioAndRepeatCommand) {
  EXPECT_EQ(run("fail pass"), 1);
  const auto failed = report().cases.at(0);
  const auto line_end = "repeat: vparity run " + options_.matrix_files[0] + " --case " + failed.id +
                        " --launcher threads --timeout 30 --launch-timeout 30\n";
  EXPECT_THAT(
      output_,
      HasSubstr(
          "failed " + failed.key +
          ": grad_logits: row 1, column 5, rank 0: expected -1.5, actual nan, error ratio inf; " +
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
  EXPECT_THAT(output_, ContainsRegex("plain +4 +4 +0[.]25  loss +[0-9a-f]{12}\n"));
  EXPECT_THAT(output_, HasSubstr("report: " + options_.out + "/parity.json\n"));
}

TEST_F(Runs, LauncherThatDoesNotFitTheTransportIsRefused) {
  options_.launcher = LauncherKind::threads;
  options_.plan.transport = Transport::mpi;
  EXPECT_THAT([&] { run_matrices(options_); }, ThrowsMessage<UsageError>(HasSubstr("--transport")));
}

}  // namespace
}  // namespace vparity::harness
