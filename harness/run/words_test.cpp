// The small texts of a run.
#include <gmock/gmock.h>

#include <cmath>

#include "harness/run/progress.h"
#include "harness/run/provenance.h"
#include "harness/run/repeat_command.h"
#include "harness/run/utc_time.h"

namespace vparity::harness {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Progress, EstimatesFromTheCasesOfThisProcess) {
  EXPECT_EQ(
      progress_text(
          {.planned = 560, .decided = 123, .failed = 2, .decided_here = 100, .elapsed_s = 4.5}),
      "123/560 cases, 2 failed, about 20 s left");
}

TEST(Progress, SaysMinutesWhenThereAreMany) {
  EXPECT_THAT(
      progress_text({.planned = 101, .decided = 1, .failed = 0, .decided_here = 1, .elapsed_s = 6}),
      HasSubstr("about 10 min left"));
}

TEST(Progress, ClaimsNothingBeforeTheFirstCase) {
  EXPECT_EQ(progress_text({.planned = 4, .decided = 2}), "2/4 cases, 0 failed");
}

TEST(RepeatCommand, CarriesWhatDecidesHowACaseRuns) {
  RunOptions options;
  options.argv = {"./vparity", "run", "m x.json"};
  options.launcher = LauncherKind::mpirun;
  options.launcher_args = {"--map-by", "node"};
  options.plan.seed = 3;
  options.plan.backend = Backend::cpu;
  options.plan.filter = "*";
  PlannedCase planned;
  planned.matrix_file = "m x.json";
  planned.job.id = "0123456789ab";
  EXPECT_EQ(repeat_command(options, planned),
            "./vparity run 'm x.json' --case 0123456789ab --seed 3 --backend cpu --launcher mpirun "
            "--launcher-arg=--map-by --launcher-arg=node");
}

TEST(RepeatCommand, NamesTheLauncherThatWasChosen) {
  RunOptions options;
  options.argv = {"vparity"};
  PlannedCase planned;
  planned.matrix_file = "m.json";
  planned.job.id = "0123456789ab";
  planned.job.parameters.transport = Transport::threads;
  EXPECT_EQ(repeat_command(options, planned),
            "vparity run m.json --case 0123456789ab --launcher threads");
}

TEST(UtcTime, IsWrittenForReportsAndForNames) {
  const auto time = std::chrono::sys_days(std::chrono::year(2026) / 9 / 16) +
                    std::chrono::hours(8) + std::chrono::minutes(5) + std::chrono::seconds(3);
  EXPECT_EQ(iso_utc(time), "2026-09-16T08:05:03Z");
  EXPECT_EQ(compact_utc(time), "20260916T080503Z");
  EXPECT_EQ(utc_date(time), "2026-09-16");
}

class Fingerprint : public testing::Test {
 protected:
  static std::string of(const BuildInfo& build, const nlohmann::json& host) {
    RankDescriptions ranks;
    ranks.add({{"host", host}, {"mpi", "Open MPI"}});
    return fingerprint_of(provenance_of(build, ranks), ranks.hosts);
  }

  BuildInfo build_{"0.1.0", GitState{"a", false}, "Release", "GNU 12", "-O3"};
  nlohmann::json host_{{"name", "a"},
                       {"cpu", "c"},
                       {"cores", 2},
                       {"memory_bytes", 1},
                       {"gpus", nlohmann::json::array()},
                       {"environment", nlohmann::json::object()},
                       {"simd", "AVX2"}};
};

TEST_F(Fingerprint, StaysTheSameForAnotherRevisionOnAnotherHostOfTheSameKind) {
  const auto before = of(build_, host_);
  build_.git->revision = "b";
  host_["name"] = "b";
  EXPECT_EQ(of(build_, host_), before);
}

TEST_F(Fingerprint, StaysTheSameWhateverTheOrderOfMembers) {
  RankDescriptions ranks;
  ranks.add({{"host", host_}, {"mpi", "Open MPI"}});
  const auto provenance = provenance_of(build_, ranks);
  EXPECT_EQ(fingerprint_of(nlohmann::json(provenance), nlohmann::json(ranks.hosts)),
            fingerprint_of(provenance, ranks.hosts));
}

TEST_F(Fingerprint, KnowsTheKindOfGpuAndNotWhichOne) {
  const auto gpu = [](const char* name, const char* uuid) {
    return nlohmann::json{{{"name", name}, {"uuid", uuid}, {"memory_bytes", 1}, {"clocks", {}}}};
  };
  const auto none = of(build_, host_);
  host_["gpus"] = gpu("H200", "GPU-1");
  const auto one = of(build_, host_);
  host_["gpus"] = gpu("H200", "GPU-2");
  EXPECT_EQ(of(build_, host_), one);
  host_["gpus"] = gpu("H100", "GPU-2");
  EXPECT_NE(of(build_, host_), one);
  EXPECT_NE(none, one);
}

TEST_F(Fingerprint, HostIsOneWhetherOrNotAJobUsedItsGpus) {
  RankDescriptions ranks;
  ranks.add({{"host", host_}});
  auto with_gpu = host_;
  with_gpu["gpus"] = {{{"name", "H200"}, {"uuid", "GPU-1"}}};
  ranks.add({{"host", with_gpu}, {"libraries", {{"cuda", "13.0"}}}});
  ranks.add({{"host", host_}, {"libraries", nlohmann::json::object()}});
  ASSERT_EQ(ranks.hosts.size(), 1);
  EXPECT_EQ(ranks.hosts[0].at("gpus"), with_gpu.at("gpus"));
  EXPECT_EQ(ranks.libraries, (nlohmann::ordered_json{{"cuda", "13.0"}}));
}

TEST_F(Fingerprint, ChangesWithProcessorEnvironmentAndFlags) {
  const auto before = of(build_, host_);
  auto other = host_;
  other["cpu"] = "d";
  EXPECT_NE(of(build_, other), before);
  other = host_;
  other["environment"]["OMP_NUM_THREADS"] = "1";
  EXPECT_NE(of(build_, other), before);
  build_.flags = "-O2";
  EXPECT_NE(of(build_, host_), before);
}

}  // namespace
}  // namespace vparity::harness
