#include "harness/run/request/repeat_command.h"

#include <gtest/gtest.h>

namespace vparity::harness {
namespace {

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

}  // namespace
}  // namespace vparity::harness
