// The worker with its ranks as threads, from job file to events.
#include <gmock/gmock.h>

#include "harness/rank/worker/worker_fixture.h"

namespace vparity::harness {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WorkerOnThreads : public WorkerTest {
 protected:
  static CaseParameters two_by_two() {
    CaseParameters parameters;
    parameters.tp = 2;
    parameters.dp = 2;
    parameters.vocab = 50;
    parameters.tokens = 6;
    parameters.transport = Transport::threads;
    return parameters;
  }
  WorkerRun run_threads(const std::string& job, int ranks = 4) const {
    return run("", "--threads " + std::to_string(ranks) + " --plan " + job);
  }
  WorkerRun run_threads(const std::vector<JobCase>& cases, int ranks = 4) const {
    return run_threads(
        write_job(MatrixJob{.world = 4, .seed = 7, .save_failing = {}, .cases = cases}), ranks);
  }
  static void expect_refused(const WorkerRun& run, const std::string& why) {
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.kinds(), ElementsAre("refused"));
    EXPECT_THAT(run.log, AllOf(HasSubstr("[rank 0] "), HasSubstr(why)));
    EXPECT_EQ(std::ranges::count(run.log, '\n'), 1) << run.log;
  }
};

TEST_F(WorkerOnThreads, SaysWhatItDoesAsEvents) {
  const WorkerRun run = run_threads({job_case(two_by_two())});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.other_lines, IsEmpty());
  EXPECT_THAT(run.kinds(), ElementsAre("ready", "case", "phase", "phase", "phase", "phase", "phase",
                                       "result", "done"));
  EXPECT_EQ(run.events[0].body.at("world"), 4);
}

TEST_F(WorkerOnThreads, ReportsOneResultPerCaseWhateverTheGrid) {
  std::vector<JobCase> cases;
  for (const int tp : {1, 2, 4}) {
    CaseParameters parameters = two_by_two();
    parameters.tp = tp;
    parameters.dp = 4 / tp;
    cases.push_back(job_case(parameters));
  }
  const WorkerRun run = run_threads(cases);
  EXPECT_THAT(run.ended(), ElementsAre(cases[0].id, cases[1].id, cases[2].id));
  for (const auto& outcome : run.outcomes()) {
    EXPECT_EQ(outcome.status, reports::Status::passed);
    EXPECT_EQ(outcome.phase, "done");
    EXPECT_GT(outcome.wall_s, 0);
  }
}

TEST_F(WorkerOnThreads, ACaseThatCannotRunDoesNotEndTheJob) {
  CaseParameters wrong = two_by_two(), unsupported = two_by_two();
  wrong.batch_invariant = true;  // together with mode fast
  unsupported.mode = Mode::reproducible;
  unsupported.label_smoothing = 0.1F;
  const WorkerRun run =
      run_threads({job_case(wrong), job_case(unsupported), job_case(two_by_two())});
  const auto results = run.outcomes();
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].status, reports::Status::error);
  EXPECT_EQ(results[0].reason->code, "argument_error");
  EXPECT_EQ(results[1].status, reports::Status::skipped);
  EXPECT_EQ(results[2].status, reports::Status::passed);
  EXPECT_EQ(run.exit_code, 0);
}

TEST_F(WorkerOnThreads, APatternThatDidNotOccurIsUntrusted) {
  CaseParameters parameters = two_by_two();
  parameters.mask = MaskPattern::top_k;  // keeps 64 of 50
  const auto results = run_threads({job_case(parameters)}).outcomes();
  EXPECT_EQ(results.at(0).status, reports::Status::untrusted);
  EXPECT_EQ(results.at(0).reason->code, "pattern_missing");
}

TEST_F(WorkerOnThreads, AWorldThatDoesNotFitIsRefused) {
  for (const int ranks : {1, 3, 5}) {
    const WorkerRun run = run_threads({job_case(two_by_two())}, ranks);
    expect_refused(run, "needs tp * dp = 2 * 2 = 4 ranks, the world has " + std::to_string(ranks));
  }
}

TEST_F(WorkerOnThreads, AJobWithoutCasesHasItsWorldChecked) {
  expect_refused(run_threads(std::vector<JobCase>{}, 1),
                 "the job is for 4 ranks, the world has 1 (is the launcher that of the MPI");
}

TEST_F(WorkerOnThreads, AnUnknownProviderIsRefused) {
  CaseParameters parameters = two_by_two();
  parameters.provider = "vparitty";
  expect_refused(run_threads({job_case(parameters)}), "did you mean vparity");
}

TEST_F(WorkerOnThreads, AJobFileThatIsMissingOrCutShortIsRefused) {
  expect_refused(run_threads(folder() / "none.json"), "none.json: No such file");
  expect_refused(run_threads(write_job("{\"kind\": \"parity\",")), "job.json: ");
  expect_refused(run_threads(write_job("[]")), "job.json: a job file is a JSON object");
}

TEST_F(WorkerOnThreads, WrongOptionsExitWithTwo) {
  EXPECT_EQ(run("", "--threads 2").exit_code, 2);
  EXPECT_EQ(run("", "--plan x --threads 0").exit_code, 2);
  EXPECT_EQ(run("", "--plan x --treads 2").exit_code, 2);
  EXPECT_EQ(run("", "--help").exit_code, 0);
}

}  // namespace
}  // namespace vparity::harness
