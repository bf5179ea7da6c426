// Kernels that are right on what is checked and wrong on what a relation makes of it: no reference
// sees that, the relation does.
#include <gmock/gmock.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>

#include "harness/case/inputs/inputs.h"
#include "harness/provider/problem.h"
#include "harness/rank/check/check.h"
#include "harness/rank/check/planted_bug.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

/// Nothing yet, on every rank.
const PlantedBug everywhere{.rank = std::nullopt};

CaseParameters base() {
  CaseParameters parameters;
  parameters.tp = 2;
  parameters.dp = 2;
  parameters.tokens = 10;
  parameters.vocab = 101;
  parameters.grad_of = {.loss = true, .logprob = true, .entropy = true};
  parameters.weights = WeightPattern::random_signed;
  return parameters;
}

CheckResult check(const CaseParameters& parameters, PlantedBug bug = {}) {
  const CaseInputs inputs(parameters, 1);
  const Problem problem = problem_of(parameters);
  const ProviderWithBug provider(std::move(bug));
  const Check check{.name = "a test",
                    .task = {.operands = inputs,
                             .problem = problem,
                             .provider = provider,
                             .grad_of = parameters.grad_of,
                             .placement = {}},
                    .relations = true};
  CheckResult verdict;
  run_thread_ranks(parameters.world(), [&](Communicator& world) {
    const ProcessGrid grid(world, parameters.tp);
    CheckResult result = run_check(check, grid, [](std::string_view) {});
    if (world.rank() == 0) verdict = std::move(result);
  });
  return verdict;
}

std::vector<std::string> names(const CheckResult& result) {
  std::vector<std::string> all;
  for (const auto& invariant : result.outcome.parity().invariants) all.push_back(invariant.name);
  return all;
}

std::vector<std::string> violated(const CheckResult& result) {
  std::vector<std::string> all;
  for (const auto& invariant : result.outcome.parity().invariants) {
    if (!invariant.ok) all.push_back(invariant.name);
  }
  return all;
}

const std::vector<std::string> relations{"shifted_rows", "permuted_vocabulary", "other_tp",
                                         "other_layout", "other_chunk",         "deleted_columns",
                                         "single_row"};

TEST(Relations, RightKernelsKeepAllOfThem) {
  for (const Mode mode : {Mode::fast, Mode::gather, Mode::reproducible}) {
    for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
      for (const Reduction reduction : {Reduction::sum, Reduction::mean}) {
        CaseParameters parameters = base();
        parameters.mode = mode;
        parameters.dtype = dtype;
        parameters.reduction = reduction;
        parameters.temperature = 0.7F;
        if (mode != Mode::reproducible) parameters.label_smoothing = 0.1F;
        const CheckResult result = check(parameters);
        EXPECT_EQ(result.outcome.reason, std::nullopt);
        EXPECT_EQ(result.outcome.phase, "done");
        EXPECT_THAT(names(result), IsSupersetOf(relations));
      }
    }
  }
}

TEST(Relations, HoldForRowsWithoutNumbersToo) {
  CaseParameters parameters = base();
  parameters.logits = LogitsPattern::nonfinite;
  parameters.mask = MaskPattern::random;
  EXPECT_EQ(check(parameters).outcome.reason, std::nullopt);
}

TEST(Relations, AreLeftOutUnlessAskedFor) {
  const CaseParameters parameters = base();
  const CaseInputs inputs(parameters, 1);
  const Problem problem = problem_of(parameters);
  const Check check{
      .name = "a test",
      .task = {inputs, problem, *find_provider("vparity"), parameters.grad_of, RowPlacement{}}};
  run_thread_ranks(parameters.world(), [&](Communicator& world) {
    const CheckResult result =
        run_check(check, ProcessGrid(world, parameters.tp), [](std::string_view) {});
    EXPECT_THAT(names(result), ElementsAre("loss_sum", "valid_tokens", "degenerate_rows",
                                           "loss_sum_of_rows", "entropy_mean_of_rows",
                                           "gradient_row_sum", "entropy_range", "rank_agreement"));
  });
}

/// When to be wrong: on the transformed operands of one relation alone.
struct Breach {
  std::string relation;
  std::function<bool(const KernelCall&, const StatisticsViews&)> is_transformed;
};

void PrintTo(const Breach& breach, std::ostream* out) { *out << breach.relation; }

const std::int64_t second_id = CaseInputs(base(), 1).id(1, 0);

const std::vector<Breach> breaches{
    // The rows' lse are 5 to 15, the shift of the first is 16.
    {"shifted_rows", [](const KernelCall&, const StatisticsViews& out) { return out.lse(0) > 15; }},
    // Deleted columns move ids too, by one where they are only masked.
    {"permuted_vocabulary",
     [](const KernelCall& call, const auto&) {
       return call.problem.vocab == 101 && call.groups.dp.rank() == 0 && call.ids.rows() == 5 &&
              std::abs(call.ids(1, 0) - second_id) > 1;
     }},
    {"other_tp", [](const KernelCall& call, const auto&) { return call.groups.tp.size() != 2; }},
    {"other_layout",
     [](const KernelCall& call, const auto&) { return call.problem.layout != Layout::ceil; }},
    {"other_chunk",
     [](const KernelCall& call, const auto&) { return call.problem.options.chunk != 0; }},
    {"deleted_columns",
     [](const KernelCall& call, const auto&) { return call.problem.vocab != 101; }},
    {"single_row", [](const KernelCall& call, const auto&) { return call.ids.rows() == 1; }},
};

class EveryRelation : public ::testing::TestWithParam<Breach> {};

TEST_P(EveryRelation, SeesAnOutputThatTheReferenceDoesNot) {
  PlantedBug bug = everywhere;
  bug.after_forward = [&](const KernelCall& call, const StatisticsViews& out, auto&) {
    if (call.ids.rows() > 0 && GetParam().is_transformed(call, out)) out.entropy(0) += 0.125F;
  };
  const CheckResult result = check(base(), bug);
  EXPECT_EQ(result.outcome.status, reports::Status::failed);
  EXPECT_THAT(violated(result), ElementsAre(GetParam().relation));
  ASSERT_TRUE(result.outcome.reason.has_value());
  EXPECT_EQ(result.outcome.reason->code, "invariant");
  EXPECT_THAT(result.outcome.reason->text, HasSubstr(GetParam().relation + ": 0.12"));
  EXPECT_THAT(result.outcome.reason->text, HasSubstr("entropy of row"));
}

INSTANTIATE_TEST_SUITE_P(Relations, EveryRelation, ::testing::ValuesIn(breaches));

void spoil_second_column(const MutableVocabShard& gradient) {
  float value;
  std::byte* at = gradient.rows().row(0) + sizeof value;
  std::memcpy(&value, at, sizeof value);
  value += 0.125F;
  std::memcpy(at, &value, sizeof value);
}

TEST(Relations, LookAtTheGradientOfEveryShard) {
  PlantedBug bug = everywhere;
  bug.after_backward = [&](const KernelCall& call, const MutableVocabShard& gradient) {
    if (call.ids.rows() == 1 && call.groups.tp.rank() == 1) spoil_second_column(gradient);
  };
  const CheckResult result = check(base(), bug);
  EXPECT_THAT(violated(result), ElementsAre("single_row"));
  EXPECT_THAT(result.outcome.reason->text,
              HasSubstr("grad_logits of row 5, column 52"));  // ceil(101 / 2)
}

TEST(Relations, SeeOneBitWhereTheModePromisesAll) {
  PlantedBug bug = everywhere;
  bug.after_forward = [](const KernelCall& call, const StatisticsViews& out, auto&) {
    if (call.problem.options.chunk != 0) out.loss(1) = std::nextafter(out.loss(1), 1e9F);
  };
  CaseParameters parameters = base();
  EXPECT_THAT(violated(check(parameters, bug)), ElementsAre());
  for (const Mode mode : {Mode::gather, Mode::reproducible}) {
    parameters.mode = mode;
    EXPECT_THAT(violated(check(parameters, bug)), ElementsAre("other_chunk"));
  }
}

TEST(Relations, LookAtSomeOfManyRows) {
  CaseParameters parameters = base();
  parameters.tokens = 14000;
  parameters.vocab = 101;
  std::atomic<std::int64_t> fewest = parameters.tokens;
  std::atomic<int> calls = 0;
  PlantedBug bug = everywhere;
  bug.after_backward = [&](const KernelCall& call, const auto&) {
    ++calls;
    if (call.ids.rows() > 1 && call.ids.rows() < fewest) fewest = call.ids.rows();
  };
  EXPECT_EQ(check(parameters, bug).outcome.reason, std::nullopt);
  EXPECT_LE(fewest * 2 * 101, 1 << 17);
  EXPECT_GT(calls, 4 * 8);
}

TEST(Relations, AnErrorInARelatedRunNamesThePhase) {
  PlantedBug bug = everywhere;
  bug.after_backward = [](const KernelCall& call, const auto&) {
    if (call.problem.vocab != 101) throw std::runtime_error("no such vocabulary");
  };
  const CheckResult result = check(base(), bug);
  EXPECT_EQ(result.outcome.status, reports::Status::error);
  EXPECT_EQ(result.outcome.phase, "relations");
  EXPECT_THAT(result.outcome.reason->text, HasSubstr("no such vocabulary"));
}

TEST(RowInvariants, AGradientThatDoesNotSumToZeroIsNamed) {
  PlantedBug bug = everywhere;  // the shards without the label get none
  bug.after_backward = [](const KernelCall& call, const MutableVocabShard& gradient) {
    if (call.groups.tp.rank() == 1) std::memset(gradient.rows().row(2), 0, 50 * sizeof(float));
  };
  EXPECT_THAT(violated(check(base(), bug)), Contains("gradient_row_sum"));
}

TEST(RowInvariants, AGradientThatIsNotMeantToSumToZeroIsNotHeldToIt) {
  CaseParameters parameters = base();
  parameters.z_loss = 0.1F;
  EXPECT_THAT(names(check(parameters)), Not(Contains("gradient_row_sum")));
  parameters.z_loss = 0;
  parameters.softcap = 5.0F;
  EXPECT_THAT(names(check(parameters)), Not(Contains("gradient_row_sum")));
  parameters.softcap.reset();
  parameters.z_loss = 0.1F;
  parameters.grad_of = {.loss = false, .logprob = true, .entropy = false};
  EXPECT_THAT(names(check(parameters)), Contains("gradient_row_sum"));
}

TEST(RowInvariants, AnEntropyBelowZeroOrAboveTheUniformOneIsNamed) {
  for (const float entropy : {-1e-3F, std::log(101.0F) + 1e-3F, std::nanf("")}) {
    PlantedBug bug = everywhere;
    bug.after_forward = [entropy](const auto&, const StatisticsViews& out, auto&) {
      out.entropy(3) = entropy;
    };
    const CheckResult result = check(base(), bug);
    EXPECT_THAT(violated(result), Contains("entropy_range"));
    EXPECT_THAT(result.outcome.reason->text, HasSubstr("entropy of row"));
  }
  PlantedBug inside = everywhere;  // wrong, but an entropy
  inside.after_forward = [](const auto&, const StatisticsViews& out, auto&) { out.entropy(3) = 1; };
  EXPECT_THAT(violated(check(base(), inside)), Not(Contains("entropy_range")));
}

TEST(RowInvariants, ASumThatIsNotThatOfItsRowsIsNamed) {
  // Half an ulp of ten losses and entropies of 4 to 8 is 2.4e-6 together, 2.4e-7 in the mean.
  PlantedBug bug = everywhere;
  bug.after_forward = [](const auto&, const auto&, GlobalResults& global) {
    global.loss_sum += 1e-5;
    global.entropy_mean -= 2e-6;
  };
  const CheckResult result = check(base(), bug);
  EXPECT_THAT(violated(result), ElementsAre("loss_sum_of_rows", "entropy_mean_of_rows"));
}

TEST(RowInvariants, ReplicatedValuesThatDifferAreCounted) {
  PlantedBug bug{.rank = 1};
  bug.after_forward = [](const auto&, const StatisticsViews& out, auto&) {
    for (const int t : {1, 3}) out.lse(t) = std::nextafter(out.lse(t), 1e9F);
  };
  const CheckResult result = check(base(), bug);
  EXPECT_THAT(violated(result), ElementsAre("rank_agreement"));
  EXPECT_EQ(result.outcome.parity().invariants.back().value, 2);
}

TEST(RowInvariants, AMaskedColumnHasNoPartInTheUniformEntropy) {
  CaseParameters parameters = base();
  parameters.mask = MaskPattern::all_but_one;
  PlantedBug bug = everywhere;
  bug.after_forward = [](const auto&, const StatisticsViews& out, auto&) {
    out.entropy(0) = 1e-3F;
  };
  EXPECT_THAT(violated(check(parameters, bug)), Contains("entropy_range"));
}

}  // namespace
}  // namespace vparity::harness
