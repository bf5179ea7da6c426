// The worker under mpirun.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>

#include "harness/rank/worker/worker_fixture.h"

namespace vparity::harness {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WorkerUnderMpirun : public WorkerTest {
 protected:
  WorkerRun run_mpi(int ranks) const {
    std::vector<JobCase> cases;
    for (const Mode mode : {Mode::fast, Mode::gather}) {
      CaseParameters parameters;
      parameters.tp = 2;
      parameters.dp = 2;
      parameters.vocab = 1001;
      parameters.mode = mode;
      parameters.labels = LabelPattern::ignored_30;
      cases.push_back(job_case(parameters));
    }
    return run(VPARITY_MPIRUN " " + std::to_string(ranks),
               "--plan " +
                   write_job(MatrixJob{.world = 4, .seed = 7, .save_failing = {}, .cases = cases}));
  }
};

TEST_F(WorkerUnderMpirun, RunsItsCases) {
  const WorkerRun run = run_mpi(4);
  EXPECT_EQ(run.exit_code, 0) << run.log;
  EXPECT_THAT(run.other_lines, IsEmpty());
  const auto results = run.outcomes();
  ASSERT_EQ(results.size(), 2U) << run.log;
  EXPECT_THAT(results, Each(Field(&reports::CaseOutcome::status, reports::Status::passed)));
  const auto mpi = run.events[0].body.at("mpi").get<std::string>();
  EXPECT_FALSE(mpi.empty());
  EXPECT_TRUE(std::ranges::all_of(mpi, [](unsigned char c) { return std::isprint(c); })) << mpi;
}

TEST_F(WorkerUnderMpirun, RefusesAWorldThatDoesNotFitOnEveryRank) {
  for (const int ranks : {1, 3, 5, 6}) {
    const WorkerRun run = run_mpi(ranks);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.log, HasSubstr("needs tp * dp = 2 * 2 = 4 ranks, the world has " +
                                   std::to_string(ranks)));
  }
}

}  // namespace
}  // namespace vparity::harness
