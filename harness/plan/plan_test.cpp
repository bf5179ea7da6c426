#include "harness/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "harness/case/axes.h"
#include "harness/plan/feasibility.h"
#include "harness/plan/matrix/matrix_file_test_support.h"
#include "harness/plan/plan_listing.h"

namespace vparity::harness {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

std::string document(const std::string& sweeps, const std::string& seed = "7") {
  return R"({"schema": "vparity.matrix/1", "name": "test", "defaults": {"tokens": 4, "seed": )" +
         seed + R"(}, "sweeps": )" + sweeps + "}";
}

const char* six_cases =
    R"([{"name": "s", "axes": {"tp": [1, 2, 4], "vocab": [8, 9], "mask": ["none", "one_shard"]},
         "exclude": [{"when": {"mask": "one_shard", "tp": 2}, "reason": "for the test"},
                     {"when": {"mask": "one_shard", "tp": 4}, "reason": "for the test"}]}])";

Plan plan_of(const std::string& sweeps, const PlanOptions& options = {}) {
  const TemporaryFile file("test.json", document(sweeps));
  return make_plan({file.path()}, options);
}

std::string complaint(const PlanOptions& options) {
  return error_of([&] { plan_of(six_cases, options); }, "");
}

TEST(Plan, HasTheMatrixsCasesSeedAndCounts) {
  const Plan plan = plan_of(six_cases);
  EXPECT_EQ(plan.cases.size(), 6U);
  EXPECT_EQ(plan.seed, 7U);
  EXPECT_EQ(plan.name, "test");
  EXPECT_EQ(plan.dropped_points(), 2);  // one_shard at tp 1
  EXPECT_EQ(plan.excluded.size(), 2U);
  for (const PlannedCase& planned : plan.cases) {
    EXPECT_EQ(planned.job.key, case_key(planned.job.parameters));
    EXPECT_EQ(planned.job.id, case_id(planned.job.key));
    EXPECT_FALSE(planned.skip);
  }
}

TEST(Plan, MergesDuplicatesAndKeepsTheFirst) {
  const Plan plan = plan_of(
      R"([{"name": "a", "axes": {"vocab": [8, 8]}}, {"name": "b", "axes": {"vocab": [8, 9]}}])");
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_EQ(plan.cases[0].sweep, "a");
  EXPECT_EQ(plan.cases[1].sweep, "b");
}

TEST(Plan, TransportAsItRunsStandsInTheKeyAndMerges) {
  PlanOptions options;
  options.transport = Transport::threads;
  const Plan plan = plan_of(
      R"([{"name": "a", "axes": {"vocab": [8], "transport": ["mpi", "threads"]}}])", options);
  ASSERT_EQ(plan.cases.size(), 1U);
  EXPECT_THAT(plan.cases[0].job.key, HasSubstr(",transport=threads,"));
}

TEST(Plan, FilterIsAGlobOnTheKey) {
  PlanOptions options;
  options.filter = "*,tp=[24],*,vocab=8,*";
  EXPECT_EQ(plan_of(six_cases, options).cases.size(), 2U);
  options.filter = "*,tp=1,*";
  EXPECT_EQ(plan_of(six_cases, options).cases.size(), 2U);
  options.filter = "tp=1";
  EXPECT_THAT(complaint(options), HasSubstr("--filter: 'tp=1' matches none of 6 case keys"));
}

TEST(Plan, CaseIsFoundByItsIdAndAMistypedOneIsCorrected) {
  const PlannedCase wanted = plan_of(six_cases).cases.at(3);
  PlanOptions options;
  options.case_id = wanted.job.id;
  ASSERT_EQ(plan_of(six_cases, options).cases.size(), 1U);
  EXPECT_EQ(plan_of(six_cases, options).cases[0].job.key, wanted.job.key);
  options.case_id.back() = options.case_id.back() == '0' ? '1' : '0';
  EXPECT_THAT(complaint(options), HasSubstr("did you mean " + wanted.job.id));
}

TEST(Plan, ShardsAreDisjointAndCompleteAndKeepTheirCasesWhenOthersGo) {
  std::set<std::string> seen;
  std::size_t cases = 0;
  PlanOptions options;
  options.shard_count = 2;
  for (options.shard_index = 1; options.shard_index <= 2; ++options.shard_index) {
    for (const PlannedCase& planned : plan_of(six_cases, options).cases) {
      seen.insert(planned.job.id);
      ++cases;
      PlanOptions alone = options;
      alone.case_id = planned.job.id;
      EXPECT_EQ(plan_of(six_cases, alone).cases.size(), 1U);
    }
  }
  EXPECT_EQ(cases, 6U);
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Plan, SeedsOfSeveralMatricesMustAgreeUnlessOneIsGiven) {
  const TemporaryFile first("a.json", document(R"([{"name": "s", "axes": {"vocab": [8]}}])", "1"));
  const TemporaryFile second("b.json", document(R"([{"name": "s", "axes": {"vocab": [9]}}])", "2"));
  const std::vector<std::string> files = {first.path(), second.path()};
  EXPECT_THAT(error_of([&] { make_plan(files, {}); }, second.path()),
              HasSubstr("seed 2 differs from 1"));
  PlanOptions options;
  options.seed = 3;
  const Plan plan = make_plan(files, options);
  EXPECT_EQ(plan.seed, 3U);
  EXPECT_EQ(plan.name, "test+test");
  EXPECT_EQ(plan.cases.at(1).matrix_file, second.path());
}

TEST(Groups, AreByWorldSmallestFirstAndLeaveSkippedCasesOut) {
  PlanOptions options;
  options.max_ranks = 2;
  const Plan plan = plan_of(six_cases, options);
  const std::vector<Group> groups = groups_of(plan);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].world, 1);
  EXPECT_EQ(groups[1].world, 2);
  EXPECT_EQ(groups[1].cases.size(), 2U);
  EXPECT_EQ(plan.cases.at(groups[1].cases[0]).job.parameters.tp, 2);
}

class ReasonToSkip : public testing::Test {
 protected:
  ReasonToSkip() { parameters.vocab = 1000; }
  std::string code(const RunLimits& limits) const {
    const auto reason = reason_to_skip(parameters, measure, limits);
    return reason ? reason->code : "";
  }
  reports::Reason reason_with(const Gpus& gpus) const {
    return reason_to_skip(parameters, measure, {{}, plenty, gpus}).value_or(reports::Reason{});
  }
  static constexpr std::int64_t plenty = std::int64_t{1} << 40;
  reports::Measure measure = reports::Measure::parity;
  CaseParameters parameters;
};

TEST_F(ReasonToSkip, IsNoneForACaseThatFits) { EXPECT_EQ(code({4, plenty}), ""); }

TEST_F(ReasonToSkip, IsRanksBeyondTheLimit) {
  parameters.tp = 4;
  parameters.dp = 2;
  EXPECT_EQ(code({7, plenty}), "max_ranks");
  EXPECT_EQ(code({8, plenty}), "");
}

TEST_F(ReasonToSkip, IsMemoryWithBothFigures) {
  parameters.tokens = 1 << 20;  // 4 GB of logits, as much gradient
  const auto reason = reason_to_skip(parameters, measure, {std::nullopt, std::int64_t{1} << 30});
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->code, "memory");
  EXPECT_THAT(reason->text, testing::AllOf(HasSubstr("GiB"), HasSubstr("1.0 GiB available")));
}

const Gpus no_cuda{.reason = "this build has no CUDA"};
const Gpus no_driver{true, true, 0, "no NVIDIA driver is installed"};

TEST_F(ReasonToSkip, IsThatTheBuildHasNoCuda) {
  parameters.backend = Backend::cuda;
  EXPECT_EQ(reason_with(no_cuda).code, "not_built");
  EXPECT_EQ(reason_with(no_cuda).text, "backend cuda: this build has no CUDA");
}

TEST_F(ReasonToSkip, IsThatThereIsNoDeviceInTheDriversWords) {
  parameters.backend = Backend::cuda;
  for (const Transport transport : {Transport::mpi, Transport::nccl}) {
    parameters.transport = transport;
    EXPECT_EQ(reason_with(no_driver).code, "no_device");
    EXPECT_EQ(reason_with(no_driver).text, "backend cuda: no NVIDIA driver is installed");
  }
}

TEST_F(ReasonToSkip, IsNcclBetweenWhatIsNoGpu) {
  parameters.transport = Transport::nccl;
  for (const Backend backend : {Backend::cpu, Backend::cuda_sim}) {
    parameters.backend = backend;
    EXPECT_EQ(reason_with({true, true, 8, ""}).code, "not_offered");
  }
}

TEST_F(ReasonToSkip, IsNcclThatIsNotBuiltOrHasFewerGpusThanRanks) {
  parameters.backend = Backend::cuda;
  parameters.transport = Transport::nccl;
  parameters.tp = 2;
  EXPECT_EQ(reason_with({true, false, 2, ""}).code, "not_built");
  EXPECT_EQ(reason_with({true, true, 1, ""}).code, "no_device");
  EXPECT_EQ(reason_with({true, true, 1, ""}).text,
            "transport nccl: needs a GPU for each of 2 ranks, there is 1");
}

TEST_F(ReasonToSkip, IsTheThroughputOfASimulation) {
  parameters.backend = Backend::cuda_sim;
  measure = reports::Measure::throughput;
  EXPECT_EQ(reason_with({}).code, "not_offered");
}

TEST(FastestBackend, IsTheProcessorWhereThereIsNoDeviceAndSaysWhy) {
  for (const Gpus& gpus : {no_cuda, no_driver}) {
    const BackendChoice choice = fastest_backend(gpus);
    EXPECT_EQ(choice.backend, Backend::cpu);
    EXPECT_EQ(choice.text, "--backend auto: runs on cpu (backend cuda: " + gpus.reason + ")");
  }
}

TEST(AvailableMemory, IsSomethingAndLessThanAPebibyte) {
  EXPECT_GT(available_memory(), std::int64_t{1} << 20);
  EXPECT_LT(available_memory(), std::int64_t{1} << 50);
}

TEST(PlanListing, NamesCasesGroupsReasonsAndEndsWithTheCount) {
  PlanOptions options;
  options.max_ranks = 2;
  const std::string text = plan_listing(plan_of(six_cases, options));
  EXPECT_THAT(text, HasSubstr("skipped (max_ranks): needs 4 ranks, --max-ranks is 2"));
  EXPECT_THAT(text, HasSubstr("one_shard needs two shards"));
  EXPECT_THAT(text, HasSubstr("2 of s: for the test"));
  EXPECT_THAT(text, EndsWith("6 cases: 4 to run, 2 to skip; 2 points dropped, 4 excluded\n"));
}

}  // namespace
}  // namespace vparity::harness
