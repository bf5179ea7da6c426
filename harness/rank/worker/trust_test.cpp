#include "harness/rank/worker/trust.h"

#include <gmock/gmock.h>

#include <functional>

namespace vparity::harness {
namespace {

using ::testing::HasSubstr;

/// A check in which nothing special occurred.
CheckResult plain() {
  CheckResult result;
  result.outcome.status = reports::Status::passed;
  result.occurrence.rows = 10;
  result.occurrence.upstreams = 10;
  return result;
}

struct Pattern {
  std::string name;
  std::function<void(CaseParameters&)> ask;
  std::function<void(Occurrence&)> occur;
};

class NamedPattern : public ::testing::TestWithParam<Pattern> {};

TEST_P(NamedPattern, IsTrustedOnlyIfItOccurred) {
  CaseParameters parameters;
  parameters.vocab = 100;
  GetParam().ask(parameters);
  CheckResult result = plain();
  const auto reason = reason_for_distrust(parameters, result);
  ASSERT_TRUE(reason.has_value());
  EXPECT_EQ(reason->code, "pattern_missing");
  EXPECT_EQ(reason->text, "did not occur: " + GetParam().name);

  GetParam().occur(result.occurrence);
  EXPECT_EQ(reason_for_distrust(parameters, result), std::nullopt);
}

const std::vector<Pattern> patterns{
    {"logits=nonfinite", [](auto& p) { p.logits = LogitsPattern::nonfinite; },
     [](auto& o) { o.poisoned_rows = 1; }},
    {"mask=top_k", [](auto& p) { p.mask = MaskPattern::top_k; },
     [](auto& o) { o.masked_logits = 1; }},
    {"mask=random", [](auto& p) { p.mask = MaskPattern::random; },
     [](auto& o) { o.masked_logits = 1; }},
    {"mask=one_shard", [](auto& p) { p.mask = MaskPattern::one_shard; },
     [](auto& o) { o.masked_shards = 1; }},
    {"mask=first_block", [](auto& p) { p.mask = MaskPattern::first_block; },
     [](auto& o) { o.masked_starts = 1; }},
    {"mask=target", [](auto& p) { p.mask = MaskPattern::target; },
     [](auto& o) { o.masked_targets = 1; }},
    {"mask=padding", [](auto& p) { p.mask = MaskPattern::padding; },
     [](auto& o) { o.finite_padding = 1; }},
    {"mask=all_but_one", [](auto& p) { p.mask = MaskPattern::all_but_one; },
     [](auto& o) { o.single_columns = 1; }},
    {"mask=whole_row", [](auto& p) { p.mask = MaskPattern::whole_row; },
     [](auto& o) { o.degenerate_rows = 1; }},
    {"labels=shard_edges", [](auto& p) { p.labels = LabelPattern::shard_edges; },
     [](auto& o) { o.border_labels = 1; }},
    {"labels=last_id", [](auto& p) { p.labels = LabelPattern::last_id; },
     [](auto& o) { o.last_labels = 1; }},
    {"labels=ignored_30", [](auto& p) { p.labels = LabelPattern::ignored_30; },
     [](auto& o) { o.ignored_labels = 3; }},
    {"labels=all_ignored", [](auto& p) { p.labels = LabelPattern::all_ignored; },
     [](auto& o) { o.ignored_labels = 10; }},
    {"labels=one_dp_rank_ignored", [](auto& p) { p.labels = LabelPattern::one_dp_rank_ignored; },
     [](auto& o) { o.dp_ranks_ignored = 1; }},
    {"weights=random_signed", [](auto& p) { p.weights = WeightPattern::random_signed; },
     [](auto& o) { o.non_unit_upstreams = 1; }},
    {"weights=zeros_mixed", [](auto& p) { p.weights = WeightPattern::zeros_mixed; },
     [](auto& o) { o.zero_upstreams = 1; }},
    {"dp_rows=one_empty", [](auto& p) { p.dp_rows = DpRows::one_empty; },
     [](auto& o) { o.dp_ranks_without_rows = 1; }},
};

INSTANTIATE_TEST_SUITE_P(Trust, NamedPattern, ::testing::ValuesIn(patterns));

CheckResult with_zero_gradient() {
  CheckResult result = plain();
  result.zero_outputs = {"grad_logits"};
  return result;
}

TEST(Trust, AnOutputOfZerosIsNotTrusted) {
  CaseParameters parameters;
  parameters.vocab = 100;
  const auto reason = reason_for_distrust(parameters, with_zero_gradient());
  ASSERT_TRUE(reason.has_value());
  EXPECT_EQ(reason->code, "expected_zeros");
  EXPECT_THAT(reason->text, HasSubstr("grad_logits"));
}

TEST(Trust, ZerosThatTheCaseDeclaresAre) {
  CaseParameters one_column;
  one_column.vocab = 1;
  EXPECT_EQ(reason_for_distrust(one_column, with_zero_gradient()), std::nullopt);

  CaseParameters entropy_of_constants;
  entropy_of_constants.vocab = 100;
  entropy_of_constants.logits = LogitsPattern::constant;
  entropy_of_constants.grad_of = {.loss = false, .logprob = false, .entropy = true};
  EXPECT_EQ(reason_for_distrust(entropy_of_constants, with_zero_gradient()), std::nullopt);

  entropy_of_constants.grad_of.loss = true;
  EXPECT_NE(reason_for_distrust(entropy_of_constants, with_zero_gradient()), std::nullopt);
}

reports::OutputResult compared(std::int64_t nontrivial, double max_abs) {
  reports::OutputResult output;
  output.nontrivial = nontrivial;
  output.max_abs = max_abs;
  return output;
}

TEST(Trust, AnOutputThatIsItsOwnExpectationIsNotTrusted) {
  CaseParameters parameters;
  parameters.vocab = 100;
  CheckResult result = plain();
  result.outcome.outputs = {compared(10, 0), compared(0, 0), compared(1000, 0)};
  const auto reason = reason_for_distrust(parameters, result);
  ASSERT_TRUE(reason.has_value());
  EXPECT_EQ(reason->code, "self_comparison");

  result.outcome.outputs[2].max_abs = 1e-8;  // one output is enough: some are exact by nature
  EXPECT_EQ(reason_for_distrust(parameters, result), std::nullopt);
}

TEST(Trust, WhereNothingCouldDifferExactnessProvesNothingEitherWay) {
  CaseParameters parameters;
  parameters.vocab = 100;
  CheckResult result = plain();
  result.outcome.outputs = {compared(0, 0), compared(0, 0)};
  EXPECT_EQ(reason_for_distrust(parameters, result), std::nullopt);
  result.outcome.outputs = {compared(10, 0)};
  EXPECT_NE(reason_for_distrust(parameters, result), std::nullopt);
  result.occurrence.poisoned_rows = 4;
  result.occurrence.single_columns = 6;  // lse is the one logit
  EXPECT_EQ(reason_for_distrust(parameters, result), std::nullopt);
}

TEST(Trust, AMaskThatLeavesOneColumnInEveryRowDeclaresZeros) {
  CaseParameters parameters;
  parameters.vocab = 100;
  CheckResult result = with_zero_gradient();
  result.occurrence.single_columns = 9;
  EXPECT_NE(reason_for_distrust(parameters, result), std::nullopt);
  result.occurrence.single_columns = 10;
  EXPECT_EQ(reason_for_distrust(parameters, result), std::nullopt);
}

}  // namespace
}  // namespace vparity::harness
