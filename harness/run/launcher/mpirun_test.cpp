// Jobs under the real mpirun, with scripts as ranks.
#include <gmock/gmock.h>

#include "harness/run/launcher/command.h"
#include "harness/run/launcher/launcher_fixture.h"

namespace vparity::harness {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Open MPI's and Hydra's names for the rank.
constexpr auto find_rank = "rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}";
constexpr auto other_ranks_wait = "[ $rank = 0 ] || exec sleep 100";

class Mpirun : public LauncherFixture {
 protected:
  void SetUp() override {
    LauncherFixture::SetUp();
    if (!built_with_mpi()) GTEST_SKIP() << "built without MPI";
    spec_.kind = LauncherKind::mpirun;
    spec_.ranks = 3;
    spec_.limits.launch = spec_.limits.tear_down = Seconds(20);
  }
};

TEST_F(Mpirun, IsFoundAndNamed) {
  const auto mpirun = find_mpirun();
  ASSERT_TRUE(mpirun.found());
  EXPECT_THAT(mpirun.version, testing::MatchesRegex("(Open MPI|MPICH) [0-9]+[.][0-9.a-z]+"));
}

TEST_F(Mpirun, MoreRanksThanCoresRunAndRankZeroIsHeard) {
  spec_.ranks = 8;
  const auto outcome = run({find_rank, "[ $rank = 0 ] || exit 0", ready, done});
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
  EXPECT_THAT(events_, ElementsAre("ready", "done"));
}

TEST_F(Mpirun, RankThatDiesEndsTheJobAsACrash) {
  const auto outcome = run({find_rank, "if [ $rank = 2 ]; then sleep 0.5; kill -SEGV $$; fi",
                            other_ranks_wait, ready, begin_case, "sleep 100"});
  EXPECT_EQ(outcome.end, JobEnd::crashed);
  EXPECT_EQ(outcome.running_case, "abc");
}

TEST_F(Mpirun, HangingRanksAreEndedAtTheLimit) {
  spec_.limits.per_case = Seconds(1);
  const auto outcome = run({find_rank, other_ranks_wait, ready, begin_case, "sleep 100"});
  EXPECT_EQ(outcome.end, JobEnd::timeout);
}

TEST_F(Mpirun, RanksThatHideInSessionsAndIgnoreSigtermAreKilled) {
  spec_.limits.per_case = Seconds(1);
  spec_.limits.tear_down = Seconds(0.5);
  const auto outcome = run({"trap '' TERM", find_rank, "[ $rank = 0 ] || exec setsid sleep 100",
                            ready, begin_case, "while :; do sleep 0.05; done"});
  EXPECT_EQ(outcome.end, JobEnd::timeout);
}

TEST_F(Mpirun, WrongLauncherArgumentIsALaunchFailureInTheLaunchersWords) {
  spec_.launcher_args = {"--no-such-option"};
  const auto outcome = run({ready, done});
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, HasSubstr("no-such-option"));
}

TEST_F(Mpirun, WorksWithoutHomeAndWithATmpdirTooLongForSockets) {
  const auto long_directory = directory_ / std::string(120, 'd');
  std::filesystem::create_directories(long_directory);
  unsetenv("HOME");
  setenv("TMPDIR", long_directory.c_str(), 1);
  const auto outcome = run({find_rank, "[ $rank = 0 ] || exit 0", ready, done});
  unsetenv("TMPDIR");
  EXPECT_EQ(outcome.end, JobEnd::done) << outcome.message;
}

/// A script instead of mpirun.
class FakeMpirun : public Mpirun {
 protected:
  void SetUp() override {
    Mpirun::SetUp();
    spec_.mpirun = directory_ / "mpirun";
    write_worker({ready, done});
  }

  JobOutcome run_under(const std::string& lines) {
    write_script(spec_.mpirun, {lines});
    return run_job(spec_, [](const Event&) {});
  }
};

TEST_F(FakeMpirun, ThatFailsIsQuoted) {
  const auto outcome = run_under("echo no such network >&2; exit 1");
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, AllOf(HasSubstr("exit status 1"), HasSubstr("no such network")));
}

TEST_F(FakeMpirun, ThatEndsWithoutAWordIsALaunchFailure) {
  const auto outcome = run_under("exit 0");
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_EQ(outcome.message, "ended before the ranks were ready: exit status 0");
}

TEST_F(FakeMpirun, ThatHangsIsEndedAtTheLaunchLimitItsVersionIncluded) {
  spec_.limits.launch = Seconds(1);
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = run_under("exec sleep 100");
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, HasSubstr("not ready within 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, Seconds(50));
}

TEST_F(FakeMpirun, ThatNeverStopsTalkingIsNoTrouble) {
  spec_.limits.launch = Seconds(1);
  const auto outcome = run_under("exec yes");
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
}

TEST_F(FakeMpirun, ThatIsMissingIsNamed) {
  const auto outcome = run_job(spec_, [](const Event&) {});
  EXPECT_EQ(outcome.end, JobEnd::launch_failed);
  EXPECT_THAT(outcome.message, HasSubstr(spec_.mpirun));
}

TEST_F(Mpirun, ThatIsKilledTakesItsRanksAlong) {
  const auto outcome = run({find_rank, other_ranks_wait, ready, begin_case,
                            "sleep 0.5; kill -KILL $PPID", "while :; do sleep 0.05; done"});
  EXPECT_EQ(outcome.end, JobEnd::crashed);
  EXPECT_THAT(outcome.message, HasSubstr("signal 9"));
}

TEST_F(Mpirun, StoppedRankIsEnded) {
  spec_.limits.per_case = Seconds(1);
  const auto outcome = run({find_rank, "[ $rank = 1 ] && kill -STOP $$", other_ranks_wait, ready,
                            begin_case, "sleep 100"});
  EXPECT_EQ(outcome.end, JobEnd::timeout);
}

class JobCommand : public LauncherFixture {
 protected:
  void SetUp() override {
    LauncherFixture::SetUp();
    write_worker({});
    spec_.ranks = 4;
  }

  std::vector<std::string> mpirun_arguments(const std::string& version) {
    spec_.kind = LauncherKind::mpirun;
    return job_command(spec_, {"/usr/bin/mpirun", version}).arguments;
  }
};

TEST_F(JobCommand, OpenMpiIsToldToOversubscribeAndNotToBind) {
  EXPECT_THAT(mpirun_arguments("Open MPI 4.1.4"),
              AllOf(Contains("--oversubscribe"), Contains("--bind-to")));
}

TEST_F(JobCommand, MpichGetsOnlyWhatHydraKnows) {
  EXPECT_THAT(mpirun_arguments("MPICH 4.0.2"),
              ElementsAre("/usr/bin/mpirun", "-n", "4", "-bind-to", "none", spec_.worker, "--plan",
                          spec_.job_file, "--states", spec_.job_file + ".ranks"));
}

TEST_F(JobCommand, LauncherArgumentsStandBeforeTheWorker) {
  spec_.launcher_args = {"--hostfile", "a b"};
  EXPECT_THAT(mpirun_arguments("some MPI"),
              ElementsAre("/usr/bin/mpirun", "-n", "4", "--hostfile", "a b", spec_.worker, "--plan",
                          spec_.job_file, "--states", spec_.job_file + ".ranks"));
}

TEST_F(JobCommand, AMissingMpirunIsSaidSo) {
  spec_.kind = LauncherKind::mpirun;
  EXPECT_THAT([&] { job_command(spec_, {}); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("no mpirun found")));
}

}  // namespace
}  // namespace vparity::harness
