// Every way a job can end, with shell scripts instead of the worker.
#include "harness/run/launcher/launcher.h"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "harness/run/launcher/launcher_fixture.h"

namespace vparity::harness {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using Launcher = LauncherFixture;

TEST_F(Launcher, JobThatEndsWellIsDone) {
  const auto outcome = run({ready, begin_case, in_forward, result, done});
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
  EXPECT_THAT(events_, ElementsAre("ready", "case", "phase", "result", "done"));
}

TEST_F(Launcher, WorkerGetsRanksAndJobFileAndNoInput) {
  spec_.ranks = 3;
  const auto outcome = run({"cat", "echo \"$@\" >&2", "exit 1"});
  EXPECT_THAT(outcome.message, HasSubstr("--threads 3 --plan " + spec_.job_file));
}

TEST_F(Launcher, MissingWorkerIsALaunchFailureThatNamesIt) {
  const auto outcome = run_job(spec_, [](const Event&) {});
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, HasSubstr(spec_.worker));
}

TEST_F(Launcher, WorkerThatCannotBeExecutedIsALaunchFailure) {
  std::ofstream(spec_.worker) << "no program";
  std::filesystem::permissions(spec_.worker, std::filesystem::perms::owner_all);
  const auto outcome = run_job(spec_, [](const Event&) {});
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, AllOf(HasSubstr(spec_.worker), HasSubstr("Exec format error")));
}

TEST_F(Launcher, EndBeforeReadyIsALaunchFailureThatQuotesTheLog) {
  const auto outcome = run({"echo no such device >&2", "exit 7"});
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, AllOf(HasSubstr("exit status 7"), HasSubstr("no such device")));
}

TEST_F(Launcher, HangBeforeReadyEndsAtTheLaunchLimit) {
  spec_.limits.launch = Seconds(0.2);
  const auto outcome = run({"sleep 100"});
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, HasSubstr("0.2 s"));
}

TEST_F(Launcher, HangInACaseIsATimeoutThatNamesCaseAndPhase) {
  spec_.limits.per_case = Seconds(0.5);
  const auto outcome = run({ready, begin_case, in_forward, "sleep 100"});
  EXPECT_EQ(outcome.end, JobEnd::timeout);
  EXPECT_EQ(outcome.running_case, "abc");
  EXPECT_EQ(outcome.phase, "forward");
  EXPECT_THAT(outcome.message, AllOf(HasSubstr("0.5 s"), HasSubstr("forward")));
}

TEST_F(Launcher, EveryCaseHasTheWholeLimit) {
  spec_.limits.per_case = Seconds(1.5);
  const auto outcome =
      run({ready, begin_case, "sleep 0.8", result, begin_case, "sleep 0.8", result, done});
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
}

TEST_F(Launcher, HangAfterTheLastCaseEndsAtTheTearDownLimit) {
  spec_.limits.tear_down = Seconds(0.2);
  const auto outcome = run({ready, begin_case, result, done, "sleep 100"});
  EXPECT_EQ(outcome.end, JobEnd::timeout);
  EXPECT_EQ(outcome.running_case, "");
}

TEST_F(Launcher, DeathBySignalIsACrashThatNamesCaseAndSignal) {
  const auto outcome = run({ready, begin_case, "kill -SEGV $$"});
  EXPECT_EQ(outcome.end, JobEnd::crashed);
  EXPECT_EQ(outcome.running_case, "abc");
  EXPECT_THAT(outcome.message, HasSubstr("signal 11"));
}

TEST_F(Launcher, CleanExitWithoutDoneIsACrash) {
  EXPECT_EQ(run({ready, begin_case, "exit 0"}).end, JobEnd::crashed);
}

TEST_F(Launcher, FailingExitAfterDoneIsACrashWithoutARunningCase) {
  const auto outcome = run({ready, begin_case, result, done, "exit 1"});
  EXPECT_EQ(outcome.end, JobEnd::crashed);
  EXPECT_EQ(outcome.running_case, "");
}

TEST_F(Launcher, RefusalIsPassedOn) {
  const auto outcome =
      run({ready, R"(echo '{"event":"refused","message":"world is 1, not 2"}')", "exit 2"});
  EXPECT_EQ(outcome.end, JobEnd::refused);
  EXPECT_THAT(outcome.message, HasSubstr("world is 1, not 2"));
}

TEST_F(Launcher, GarbageOnStandardOutputGoesToTheLog) {
  const auto outcome =
      run({"echo hello", "echo '{\"event\":3}'", "printf '\\377\\000{[\\n'", ready, done});
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
  EXPECT_THAT(events_, ElementsAre("ready", "done"));
  EXPECT_GT(log_size(), 5U);
}

TEST_F(Launcher, LastLineWithoutNewlineIsNoEvent) {
  EXPECT_EQ(run({ready, "printf '{\"event\":\"done\"}'"}).end, JobEnd::crashed);
}

TEST_F(Launcher, HugeStandardErrorIsBoundedAndDoesNotBlock) {
  const auto outcome =
      run({ready, "head -c 20000000 /dev/zero | tr '\\0' x >&2", "echo last >&2", done});
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
  EXPECT_LT(log_size(), 9'000'000U);
}

TEST_F(Launcher, ProcessesThatIgnoreSigtermAreKilled) {
  spec_.limits.per_case = Seconds(0.5);
  spec_.limits.tear_down = Seconds(0.3);
  const auto outcome = run({"trap '' TERM", ready, begin_case, "while :; do sleep 0.05; done"});
  EXPECT_EQ(outcome.end, JobEnd::timeout);
}

TEST_F(Launcher, StoppedProcessIsEnded) {
  spec_.limits.per_case = Seconds(0.5);
  EXPECT_EQ(run({ready, begin_case, "kill -STOP $$"}).end, JobEnd::timeout);
}

TEST_F(Launcher, GrandchildInItsOwnSessionDoesNotOutliveTheJob) {
  const auto outcome =
      run({"setsid sleep 100 &", "setsid sh -c 'sleep 100 & sleep 100' &", ready, done});
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
}

TEST_F(Launcher, OrphanThatHoldsTheOutputOpenDoesNotHoldUpTheEnd) {
  spec_.limits.tear_down = Seconds(0.3);
  const auto outcome = run({ready, "(trap '' TERM; while :; do sleep 0.05; done) &", done});
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
}

TEST_F(Launcher, ProcessesThatNeverStopTalkingAreEnded) {
  spec_.limits.per_case = Seconds(0.5);
  EXPECT_EQ(run({ready, begin_case, "yes >&2 &", "yes"}).end, JobEnd::timeout);
}

TEST_F(Launcher, ResultSentJustBeforeAnInterruptIsHeard) {
  run({ready, begin_case, result, "kill -INT $PPID", "sleep 100"});
  EXPECT_THAT(events_, ElementsAre("ready", "case", "result"));
}

TEST_F(Launcher, InterruptEndsTheJobAndIsReported) {
  // Sent by the worker to its parent, which is this test.
  const auto outcome = run({ready, begin_case, "kill -INT $PPID", "sleep 100"});
  EXPECT_EQ(outcome.end, JobEnd::interrupted);
  EXPECT_EQ(outcome.signal, SIGINT);
  EXPECT_EQ(outcome.running_case, "abc");
}

TEST_F(Launcher, SecondInterruptCutsTheGraceShort) {
  spec_.limits.tear_down = Seconds(60);
  const auto outcome = run(
      {"trap 'kill -TERM $PPID' TERM", ready, "kill -TERM $PPID", "while :; do sleep 0.05; done"});
  EXPECT_EQ(outcome.end, JobEnd::interrupted);
  EXPECT_EQ(outcome.signal, SIGTERM);
}

TEST_F(Launcher, InterruptWhileAJobEndsItselfIsNotLost) {
  spec_.limits.per_case = Seconds(0.5);
  const auto outcome =
      run({"trap 'kill -INT $PPID; exit' TERM", ready, begin_case, "while :; do sleep 0.05; done"});
  EXPECT_EQ(outcome.end, JobEnd::timeout);
  EXPECT_EQ(outcome.signal, SIGINT);
}

TEST_F(Launcher, WhatTheCallerThrowsEndsTheJobFirst) {
  write_worker({ready, "sleep 100"});
  EXPECT_THROW(run_job(spec_, [](const Event&) { throw std::logic_error("stop"); }),
               std::logic_error);
}

TEST_F(Launcher, ProcessesOfTheCallerAreLeftAlone) {
  const pid_t own = fork();
  if (own == 0) {
    pause();
    _exit(0);
  }
  EXPECT_EQ(run({ready, done}).end, JobEnd::done);
  EXPECT_EQ(kill(own, 0), 0);
  kill(own, SIGKILL);
  waitpid(own, nullptr, 0);
}

}  // namespace
}  // namespace vparity::harness
