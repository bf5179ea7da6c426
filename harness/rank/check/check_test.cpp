// A check of the real kernels, and of the same kernels spoilt in one way at a time.
#include "harness/rank/check/check.h"

#include <gmock/gmock.h>

#include <cstring>
#include <limits>

#include "harness/case/inputs/inputs.h"
#include "harness/provider/problem.h"
#include "harness/rank/check/planted_bug.h"
#include "vparity/errors.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::StartsWith;

CaseParameters base() {
  CaseParameters parameters;
  parameters.tp = 2;
  parameters.dp = 2;
  parameters.tokens = 10;
  parameters.vocab = 101;
  parameters.ids = 2;
  parameters.grad_of = {.loss = true, .logprob = true, .entropy = true};
  parameters.weights = WeightPattern::random_signed;
  return parameters;
}

/// Every rank's result of one check.
std::vector<CheckResult> check_on_all_ranks(const CaseParameters& parameters,
                                            const Operands& operands, const Provider& provider) {
  std::vector<CheckResult> results(static_cast<std::size_t>(parameters.world()));
  const Problem problem = problem_of(parameters);
  const Check check{.name = "a test",
                    .task = {.operands = operands,
                             .problem = problem,
                             .provider = provider,
                             .grad_of = parameters.grad_of,
                             .placement = {parameters.row_stride, parameters.alignment}}};
  run_thread_ranks(parameters.world(), [&](Communicator& world) {
    const ProcessGrid grid(world, parameters.tp);
    results[static_cast<std::size_t>(world.rank())] = run_check(
        check, grid, [](std::string_view) {}, 200ms);
  });
  return results;
}

/// The verdict, which all ranks share.
CheckResult check(const CaseParameters& parameters, PlantedBug bug = {}) {
  const CaseInputs inputs(parameters, 1);
  auto results = check_on_all_ranks(parameters, inputs, ProviderWithBug(std::move(bug)));
  for (const CheckResult& result : results) {
    EXPECT_EQ(result.outcome.status, results[0].outcome.status);
    EXPECT_EQ(result.outcome.reason, results[0].outcome.reason);
  }
  return std::move(results[0]);
}

const reports::OutputResult& output(const CheckResult& result, std::string_view name) {
  const auto found = std::ranges::find(result.outcome.outputs, name, &reports::OutputResult::name);
  if (found == result.outcome.outputs.end()) throw std::out_of_range(std::string(name));
  return *found;
}

void expect_failure(const CheckResult& result, const std::string& code, const std::string& text) {
  EXPECT_EQ(result.outcome.status, reports::Status::failed);
  ASSERT_TRUE(result.outcome.reason.has_value());
  EXPECT_EQ(result.outcome.reason->code, code);
  EXPECT_THAT(result.outcome.reason->text, HasSubstr(text));
}

TEST(Check, RightKernelsPassAndEveryElementIsLookedAt) {
  const CheckResult result = check(base());
  EXPECT_EQ(result.outcome.status, reports::Status::passed);
  EXPECT_EQ(result.outcome.reason, std::nullopt);
  EXPECT_EQ(result.outcome.phase, "done");
  EXPECT_EQ(output(result, "logprob").elements, 10 * 2);
  for (const char* name : {"entropy", "lse", "loss"}) EXPECT_EQ(output(result, name).elements, 10);
  EXPECT_EQ(output(result, "grad_logits").elements, 10 * 101);
  EXPECT_EQ(output(result, "loss_mean").elements, 1);
  EXPECT_EQ(output(result, "entropy_mean").elements, 1);
  EXPECT_THAT(result.outcome.outputs,
              Each(Field(&reports::OutputResult::error_ratio, ::testing::Le(1))));
  EXPECT_GT(output(result, "logprob").error_ratio, 0);
  EXPECT_GT(output(result, "grad_logits").error_ratio, 0);
  EXPECT_THAT(result.outcome.parity().invariants, Each(Field(&reports::Invariant::ok, true)));
  EXPECT_EQ(result.occurrence.rows, 10);
  EXPECT_EQ(result.occurrence.upstreams, 10 * (2 + 1 + 1));
}

class EveryPlacement : public ::testing::TestWithParam<RowPlacement> {};

TEST_P(EveryPlacement, PassesInPlaceAndOutOfPlace) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    for (const bool in_place : {false, true}) {
      CaseParameters parameters = base();
      parameters.layout = Layout::padded;
      parameters.dtype = dtype;
      parameters.in_place = in_place;
      parameters.row_stride = GetParam().stride;
      parameters.alignment = GetParam().alignment;
      EXPECT_EQ(check(parameters).outcome.status, reports::Status::passed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Check, EveryPlacement,
                         ::testing::Values(RowPlacement{RowStride::packed, Alignment::natural},
                                           RowPlacement{RowStride::packed, Alignment::odd},
                                           RowPlacement{RowStride::strided, Alignment::odd},
                                           RowPlacement{RowStride::huge, Alignment::natural}));

TEST(Check, WithoutRowsThereIsNothingToCompareButTheMeans) {
  CaseParameters parameters = base();
  parameters.tokens = 0;
  parameters.weights = WeightPattern::ones;
  const CheckResult result = check(parameters);
  EXPECT_EQ(result.outcome.status, reports::Status::passed);
  EXPECT_EQ(output(result, "grad_logits").elements, 0);
  EXPECT_EQ(output(result, "loss_mean").elements, 1);
  EXPECT_EQ(result.occurrence.dp_ranks_without_rows, 2);
}

TEST(Check, OutputsThatAreExpectedToBeZeroAreNamed) {
  CaseParameters parameters = base();
  parameters.labels = LabelPattern::all_ignored;
  EXPECT_THAT(check(parameters).zero_outputs,
              ::testing::ElementsAre("logprob", "loss", "loss_mean", "entropy_mean"));
}

TEST(Check, AnElementNotWrittenFails) {
  PlantedBug bug;
  bug.after_forward = [](const auto&, const StatisticsViews& out, auto&) {
    std::memset(&out.entropy(0), 0xFF, sizeof(float));
    const std::uint32_t poison = 0xFFA5FFA5;
    std::memcpy(&out.logprob(0, 1), &poison, sizeof poison);
  };
  const CheckResult result = check(base(), bug);
  expect_failure(result, "outside_bound", "1 output elements were not written");
  EXPECT_EQ(output(result, "logprob").mismatches, 1);
  EXPECT_EQ(output(result, "entropy").mismatches, 1);
}

TEST(Check, AnElementNotWrittenFailsAlsoWhereNanIsRight) {
  CaseParameters parameters = base();
  parameters.logits = LogitsPattern::nonfinite;  // row 0 is NaN everywhere
  PlantedBug bug;
  bug.after_backward = [](const auto&, const MutableVocabShard& gradient) {
    const std::uint32_t poison = 0xFFA5FFA5;
    std::memcpy(gradient.rows().row(0), &poison, sizeof poison);
  };
  expect_failure(check(parameters, bug), "unwritten", "1 output elements were not written");
}

TEST(Check, BytesWrittenBetweenRowsFail) {
  CaseParameters parameters = base();
  parameters.row_stride = RowStride::strided;
  PlantedBug bug;
  bug.after_backward = [](const auto&, const MutableVocabShard& gradient) {
    const auto end = gradient.columns().width * 4;
    gradient.rows().row(1)[end] = std::byte{0};
  };
  expect_failure(check(parameters, bug), "guards_overwritten", "beside the rows");
}

TEST(Check, ModifiedLogitsFail) {
  PlantedBug bug;
  bug.rank = 3;
  bug.after_forward = [](const KernelCall& call, const auto&, auto&) {
    auto* first = const_cast<std::byte*>(call.logits.rows().row(0));
    *first ^= std::byte{1};
  };
  const CheckResult result = check(base(), bug);
  EXPECT_FALSE(result.outcome.parity().inputs_unchanged);
  EXPECT_THAT(result.outcome.reason->text, HasSubstr("inputs were modified"));
  EXPECT_EQ(result.outcome.status, reports::Status::failed);
}

TEST(Check, LogitsChangedByForwardAndPutBackByBackwardFail) {
  const auto flip = [](const KernelCall& call) {
    auto* first = const_cast<std::byte*>(call.logits.rows().row(0));
    *first ^= std::byte{1};
  };
  PlantedBug bug;
  bug.rank = 3;
  bug.after_forward = [=](const KernelCall& call, const auto&, auto&) { flip(call); };
  bug.before_backward = flip;
  for (const bool in_place : {false, true}) {
    CaseParameters parameters = base();
    parameters.in_place = in_place;
    const CheckResult result = check(parameters, bug);
    expect_failure(result, "inputs_modified", "inputs were modified");
    EXPECT_FALSE(result.outcome.parity().inputs_unchanged);
  }
}

TEST(Check, IdsChangedByForwardAndPutBackByBackwardFail) {
  const auto change = [](const KernelCall& call, std::int64_t by) {
    const auto& ids = std::get<Replicated<const std::int64_t>>(call.ids.view());
    const_cast<std::int64_t&>(ids(0, 1)) += by;
  };
  PlantedBug bug;
  bug.rank = 0;
  bug.after_forward = [=](const KernelCall& call, const auto&, auto&) { change(call, 1); };
  bug.before_backward = [=](const KernelCall& call) { change(call, -1); };
  expect_failure(check(base(), bug), "inputs_modified", "inputs were modified");
}

TEST(Check, AnotherBitOnOneTensorParallelRankFails) {
  PlantedBug bug;
  bug.rank = 1;
  bug.after_forward = [](const auto&, const StatisticsViews& out, auto&) {
    out.loss(0) = std::nextafter(out.loss(0), std::numeric_limits<float>::infinity());
  };
  const CheckResult result = check(base(), bug);
  expect_failure(result, "rank_disagreement", "loss of row 0 is ");
  EXPECT_FALSE(result.outcome.parity().rank_agreement);
}

// Without valid tokens every loss is 0, so that only its sign can differ.
TEST(Check, ZeroOfAnotherSignOnOneTensorParallelRankFails) {
  CaseParameters parameters = base();
  parameters.labels = LabelPattern::all_ignored;
  PlantedBug bug;
  bug.rank = 1;
  bug.after_forward = [](const auto&, const StatisticsViews& out, auto&) {
    ASSERT_EQ(out.loss(0), 0);
    out.loss(0) = std::copysign(0.0F, std::signbit(out.loss(0)) ? 1.0F : -1.0F);
  };
  const CheckResult result = check(parameters, bug);
  expect_failure(result, "rank_disagreement", "loss of row 0 is ");
  EXPECT_FALSE(result.outcome.parity().rank_agreement);
}

TEST(Check, MeanOfZeroWithAnotherSignOnOneRankFails) {
  CaseParameters parameters = base();
  parameters.labels = LabelPattern::all_ignored;
  PlantedBug bug;
  bug.rank = 2;
  bug.after_forward = [](const auto&, const auto&, GlobalResults& global) {
    ASSERT_EQ(global.loss_mean, 0);
    global.loss_mean = std::copysign(0.0, std::signbit(global.loss_mean) ? 1.0 : -1.0);
  };
  expect_failure(check(parameters, bug), "rank_disagreement", "on rank 2");
}

TEST(Check, AnotherMeanOnOneRankFails) {
  PlantedBug bug;
  bug.rank = 2;
  bug.after_forward = [](const auto&, const auto&, GlobalResults& global) {
    global.loss_mean = std::nextafter(global.loss_mean, 0);
  };
  expect_failure(check(base(), bug), "rank_disagreement", "on rank 2");
}

TEST(Check, ZerosForTheGradientFail) {
  PlantedBug bug;
  bug.rank = 2;
  bug.after_backward = [](const auto&, const MutableVocabShard& gradient) {
    for (std::int64_t t = 0; t < gradient.rows().rows; ++t) {
      std::memset(gradient.rows().row(t), 0,
                  static_cast<std::size_t>(gradient.columns().width) * sizeof(float));
    }
  };
  const CheckResult result = check(base(), bug);
  expect_failure(result, "outside_bound", "grad_logits: ");
  ASSERT_TRUE(output(result, "grad_logits").worst.has_value());
  EXPECT_EQ(output(result, "grad_logits").worst->rank, 2);
  EXPECT_GE(output(result, "grad_logits").worst->row, 5);  // global, of the second DP rank
}

TEST(Check, AGradientShiftedByOneColumnAtTheShardsEdgeNamesTheGlobalColumn) {
  PlantedBug bug;
  bug.rank = 1;
  bug.after_backward = [](const auto&, const MutableVocabShard& gradient) {
    const float wrong = 1e3F;
    std::memcpy(gradient.rows().row(2), &wrong, sizeof wrong);
  };
  const CheckResult result = check(base(), bug);
  EXPECT_EQ(output(result, "grad_logits").mismatches, 1);
  EXPECT_EQ(output(result, "grad_logits").worst->row, 2);
  EXPECT_EQ(output(result, "grad_logits").worst->column, 51);  // ceil(101 / 2)
}

TEST(Check, AWrongCountOfTokensFails) {
  PlantedBug bug;
  bug.after_forward = [](const auto&, const auto&, GlobalResults& global) {
    ++global.valid_tokens;
  };
  expect_failure(check(base(), bug), "invariant", "valid_tokens: 11 where 10 is allowed");
}

TEST(Check, AnExceptionOnOneRankIsAnErrorThatNamesIt) {
  PlantedBug bug;
  bug.rank = 2;
  bug.after_backward = [](const auto&, const auto&) { throw std::runtime_error("out of luck"); };
  const CheckResult result = check(base(), bug);
  EXPECT_EQ(result.outcome.status, reports::Status::error);
  EXPECT_EQ(result.outcome.phase, "backward");
  EXPECT_EQ(result.outcome.reason, (reports::Reason{"exception", "rank 2: out of luck"}));
}

TEST(Check, AnExceptionThatLeavesOthersInACollectiveAbortsTheJob) {
  PlantedBug bug;
  bug.rank = 1;
  bug.before_forward = [](const auto&) { throw std::runtime_error("gone"); };
  EXPECT_THROW(check(base(), bug), CommunicationError);
}

TEST(Check, OptionsThatAllRanksRefuseAreAnArgumentError) {
  CaseParameters parameters = base();
  parameters.temperature = -1;
  const CheckResult result = check(parameters);
  EXPECT_EQ(result.outcome.status, reports::Status::error);
  EXPECT_EQ(result.outcome.reason->code, "argument_error");
  EXPECT_THAT(result.outcome.reason->text, HasSubstr("temperature"));
}

TEST(Check, AVocabularyBeyondTheLimitIsAnArgumentErrorOnEveryRank) {
  CaseParameters too_wide = base();
  too_wide.vocab = max_vocab + 1;
  const CaseInputs inputs(base(), 1);
  for (const CheckResult& result :
       check_on_all_ranks(too_wide, inputs, *find_provider("vparity"))) {
    EXPECT_EQ(result.outcome.status, reports::Status::error);
    EXPECT_EQ(result.outcome.phase, "inputs");
    EXPECT_EQ(result.outcome.reason->code, "argument_error");
  }
}

TEST(Check, AnInPlaceGradientOfAnotherTypeIsAnArgumentError) {
  CaseParameters parameters = base();
  parameters.dtype = DType::bf16;
  parameters.grad_dtype = GradientDType::fp32;
  parameters.in_place = true;
  EXPECT_EQ(
      check(parameters).outcome.reason,
      (reports::Reason{"argument_error", "a gradient in place of bf16 logits cannot be fp32"}));
}

/// The fused kernels without the two calls.
class FusedOnly final : public KernelSession {
 public:
  explicit FusedOnly(std::unique_ptr<KernelSession> right) : right_(std::move(right)) {}
  bool fused() const override { return true; }
  GlobalResults forward(const VocabShard&, const TokenIds&, const StatisticsViews&) override {
    throw std::logic_error("forward was called");
  }
  void backward(const VocabShard&, const TokenIds&, const UpstreamGradients&,
                const MutableVocabShard&) override {
    throw std::logic_error("backward was called");
  }
  GlobalResults forward_backward(const VocabShard& logits, const TokenIds& ids,
                                 const UpstreamGradients& upstream, const StatisticsViews& out,
                                 const MutableVocabShard& gradient) override {
    return right_->forward_backward(logits, ids, upstream, out, gradient);
  }

 private:
  std::unique_ptr<KernelSession> right_;
};

class FusedOnlyProvider final : public Provider {
 public:
  std::string_view name() const override { return "fused-only"; }
  std::unique_ptr<KernelSession> prepare(const Problem& problem, ProcessGroups groups,
                                         const ShardColumns& own) const override {
    return std::make_unique<FusedOnly>(
        find_provider("vparity-fused")->prepare(problem, groups, own));
  }
};

TEST(Check, AFusedProviderIsCalledOnceAndComparedInFull) {
  for (const bool in_place : {false, true}) {
    CaseParameters parameters = base();
    parameters.in_place = in_place;
    const CaseInputs inputs(parameters, 1);
    for (const CheckResult& result : check_on_all_ranks(parameters, inputs, FusedOnlyProvider())) {
      EXPECT_EQ(result.outcome.status, reports::Status::passed)
          << result.outcome.reason.value_or(reports::Reason{}).text;
      EXPECT_GT(output(result, "grad_logits").elements, 0);
      EXPECT_TRUE(result.outcome.parity().inputs_unchanged);
    }
  }
}

TEST(Check, AnUnsupportedProblemIsSkipped) {
  PlantedBug bug;
  bug.unsupported = "no such mode";
  const CheckResult result = check(base(), bug);
  EXPECT_EQ(result.outcome.status, reports::Status::skipped);
  EXPECT_EQ(result.outcome.reason, (reports::Reason{"unsupported", "no such mode"}));
}

/// Inputs with one label outside the vocabulary.
class WrongLabel final : public Operands {
 public:
  explicit WrongLabel(const CaseParameters& parameters) : right_(parameters, 1) {}
  const std::vector<std::int64_t>& dp_rows() const override { return right_.dp_rows(); }
  void logits(std::int64_t row, std::int64_t begin, std::span<float> out) const override {
    right_.logits(row, begin, out);
  }
  std::int64_t id(std::int64_t row, int column) const override {
    return row == 7 && column == 0 ? (1LL << 32) + 3 : right_.id(row, column);
  }
  float grad_logprob(std::int64_t row, int column) const override {
    return right_.grad_logprob(row, column);
  }
  float grad_entropy(std::int64_t row) const override { return right_.grad_entropy(row); }
  float grad_loss(std::int64_t row) const override { return right_.grad_loss(row); }

 private:
  CaseInputs right_;
};

TEST(Check, ALabelOutOfRangeIsALabelErrorOnEveryRank) {
  const auto results = check_on_all_ranks(base(), WrongLabel(base()), *find_provider("vparity"));
  for (const CheckResult& result : results) {
    EXPECT_EQ(result.outcome.status, reports::Status::error);
    EXPECT_EQ(result.outcome.reason->code, "label_error");
    EXPECT_THAT(result.outcome.reason->text, AllOf(HasSubstr("4294967299"), HasSubstr("row 7")));
  }
}

}  // namespace
}  // namespace vparity::harness
