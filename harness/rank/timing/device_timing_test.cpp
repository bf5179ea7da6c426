// The path of a timed set whose kernels work on devices, on simulated ones: what it measures there
// means nothing, but what it computes does.
#include <gmock/gmock.h>

#include "harness/case/axes.h"
#include "harness/rank/timing/timed_set.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

JobCase timed_case(Mode mode, Operation op) {
  JobCase job;
  job.parameters.backend = Backend::cuda_sim;
  job.parameters.transport = Transport::threads;
  job.parameters.tp = 2;
  job.parameters.tokens = 6;
  job.parameters.vocab = 1003;
  job.parameters.dtype = DType::bf16;
  job.parameters.mode = mode;
  job.parameters.op = op;
  job.key = case_key(job.parameters);
  job.id = case_id(job.key);
  return job;
}

class TimedDevices : public testing::Test {
 protected:
  static std::vector<reports::CaseOutcome> run(const std::vector<JobCase>& cases) {
    MatrixJob job;
    job.measure = reports::Measure::throughput;
    job.world = 2;
    job.case_limit_s = 2;
    job.cases = cases;
    std::vector<reports::CaseOutcome> results;
    run_thread_ranks(2, [&](Communicator& world) {
      const ProcessGrid grid(world, 2);
      auto own = time_set(cases, job, grid, {[](const auto&) {}, [](const auto&, auto) {}});
      if (world.rank() == 0) results = std::move(own);
    });
    return results;
  }
};

TEST_F(TimedDevices, OperandsStayThereAndResultsOfARandomIterationAreFetchedAndRight) {
  const std::vector<JobCase> cases{timed_case(Mode::fast, Operation::forward),
                                   timed_case(Mode::fast, Operation::backward),
                                   timed_case(Mode::reproducible, Operation::forward_backward)};
  const auto results = run(cases);
  ASSERT_EQ(results.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const reports::CaseOutcome& result = results[i];
    SCOPED_TRACE(cases[i].key);
    EXPECT_EQ(result.status, reports::Status::passed) << (result.reason ? result.reason->text : "");
    EXPECT_GT(result.timing().read_gbps, 0);
    EXPECT_GT(result.timing().copy_gbps, 0);
    EXPECT_FALSE(result.outputs.empty());
  }
}

}  // namespace
}  // namespace vparity::harness
