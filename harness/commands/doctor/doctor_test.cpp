#include "harness/commands/doctor/doctor.h"

#include <gmock/gmock.h>

#include <chrono>

#include "harness/commands/doctor/bandwidth.h"
#include "harness/commands/doctor/machine.h"
#include "harness/machine/host.h"

namespace vparity::harness {
namespace {

using testing::AllOf;

using testing::HasSubstr;
using testing::Not;

nlohmann::ordered_json example() {
  return nlohmann::ordered_json::parse(R"({
    "version": "0.1.0", "build": {"compiler": "GNU 12", "type": "Release", "flags": "-O3"},
    "host": {"name": "node7", "cpu": "Some CPU", "memory_bytes": 64000000000},
    "cores": {"online": 8, "usable": 4, "cgroup_limit": 2.5},
    "simd": ["AVX2", "SSE4"],
    "bandwidth": [{"threads": 1, "read_gbps": 11.06, "copy_gbps": 9.5},
                  {"threads": 4, "read_gbps": 40, "copy_gbps": 30}],
    "mpi": {"built_with_mpi": true, "library": null, "mpirun": "/usr/bin/mpirun", "mpirun_version": "MPICH 4"},
    "launch": [{"launcher": "threads", "ok": true, "message": ""},
               {"launcher": "mpirun", "ok": false, "message": "no slots\nask for fewer"}],
    "cuda": {"built": false, "nccl_built": false, "runtime": null, "driver": null, "gpus": [],
             "no_gpu": "this build has no CUDA", "driver_gpus": []},
    "nccl": null})");
}

TEST(Doctor, PrintsEachFactOnOneAlignedLine) {
  EXPECT_THAT(examination_text(example()),
              AllOf(HasSubstr("\ncores             8 online, 4 usable, cgroup limit 2.5\n"),
                    HasSubstr("\nSIMD, best first  AVX2, SSE4\n"),
                    HasSubstr("\nbandwidth 1 core  11.1 GB/s read, 9.5 GB/s copy\n"),
                    HasSubstr("\nbandwidth 4 cores 40.0 GB/s read, 30.0 GB/s copy\n"),
                    HasSubstr("\nmpirun            /usr/bin/mpirun (MPICH 4)\n"),
                    HasSubstr("\nCUDA              not built\n"),
                    HasSubstr("\nGPUs              none: this build has no CUDA\n"),
                    HasSubstr("\nNCCL              not found; not built\n")));
}

TEST(Doctor, NamesGpusOrWhyThereIsNone) {
  auto examination = example();
  auto& cuda = examination["cuda"];
  cuda.update({{"built", true}, {"nccl_built", true}, {"runtime", "13.0"}});
  cuda["no_gpu"] = "no NVIDIA driver is installed";
  examination["nccl"] = "2.28.9";
  EXPECT_THAT(examination_text(examination),
              AllOf(HasSubstr("\nCUDA              runtime 13.0\n"),
                    HasSubstr("\nCUDA driver       none\n"),
                    HasSubstr("\nGPUs              none: no NVIDIA driver is installed\n"),
                    HasSubstr("\nNCCL              2.28.9\n")));
  cuda["driver"] = "12.8";
  cuda["driver_gpus"] = {"NVIDIA T4"};
  EXPECT_THAT(examination_text(examination),
              AllOf(HasSubstr("\nCUDA driver       up to CUDA 12.8\n"),
                    HasSubstr("; the driver has NVIDIA T4\n")));
  cuda["gpus"] = nlohmann::ordered_json::parse(R"([
      {"name": "NVIDIA H200", "uuid": "GPU-1", "memory_bytes": 150000000000,
       "clocks": {"core_mhz": 1980, "memory_mhz": 3201}},
      {"name": "NVIDIA H200", "uuid": "GPU-2", "memory_bytes": 150000000000,
       "clocks": {"core_mhz": 1980, "memory_mhz": 3201}}])");
  EXPECT_THAT(examination_text(examination),
              AllOf(HasSubstr("\nGPU 0             NVIDIA H200, 150.0 GB, 1980 MHz, GPU-1\n"),
                    HasSubstr("\nGPU 1             NVIDIA H200, 150.0 GB, 1980 MHz, GPU-2\n"),
                    Not(HasSubstr("none"))));
}

TEST(Doctor, FailedLaunchIsQuotedInItsColumnAndFailsTheExamination) {
  auto examination = example();
  EXPECT_THAT(examination_text(examination),
              HasSubstr("launch mpirun     FAILED: no slots\n                  ask for fewer\n"));
  EXPECT_FALSE(can_run(examination));
  examination["launch"][1]["ok"] = true;
  EXPECT_TRUE(can_run(examination));
}

TEST(Doctor, RanksOfTheWorkerStartByEachLauncher) {
  const LaunchTrial threads = try_launch(LauncherKind::threads, VPARITY_WORKER);
  EXPECT_TRUE(threads.ok) << threads.message;
  EXPECT_EQ(threads.ready.at("world"), 2);
  if (!built_with_mpi() || !find_mpirun().found()) return;
  const LaunchTrial mpi = try_launch(LauncherKind::mpirun, VPARITY_WORKER);
  EXPECT_TRUE(mpi.ok) << mpi.message;
  EXPECT_THAT(mpi.ready.at("mpi").get<std::string>(), HasSubstr("MPI"));
}

TEST(Doctor, WorkerThatCannotRunIsReportedWithItsName) {
  const LaunchTrial trial = try_launch(LauncherKind::threads, "/no/such/worker");
  EXPECT_FALSE(trial.ok);
  EXPECT_THAT(trial.message, HasSubstr("/no/such/worker"));
  const LaunchTrial silent = try_launch(LauncherKind::threads, "/bin/false");
  EXPECT_FALSE(silent.ok);
  EXPECT_THAT(silent.message, Not(testing::IsEmpty()));
}

TEST(Doctor, EveryBuildHasAnInstructionSetToRunOn) {
  EXPECT_THAT(simd_targets(), Not(testing::IsEmpty()));
}

TEST(Doctor, CoresThatMayBeUsedAreOnline) {
  EXPECT_GE(online_cores(), 1);
  EXPECT_GT(cgroup_cores().value_or(1), 0);
}

TEST(Bandwidth, IsMeasuredOnSeveralThreads) {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  const Bandwidth two = measure_bandwidth(2, bytes, std::chrono::milliseconds(20));
  EXPECT_EQ(two.threads, 2);
  EXPECT_GT(two.read_gbps, 0);
  EXPECT_GT(two.copy_gbps, 0);
}

}  // namespace
}  // namespace vparity::harness
