#include "harness/case/inputs/weight_patterns.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "harness/case/inputs/every_pattern.h"
#include "harness/case/inputs/inputs.h"

namespace vparity::harness {
namespace {

CaseInputs inputs_with(WeightPattern weights) {
  CaseParameters parameters = with(pattern_base(), weights);
  parameters.grad_of = {.loss = true, .logprob = true, .entropy = true};
  return {parameters, 9};
}

std::vector<float> loss_weights(WeightPattern weights, std::int64_t rows) {
  const CaseInputs inputs = inputs_with(weights);
  std::vector<float> all;
  for (std::int64_t row = 0; row < rows; ++row) all.push_back(inputs.grad_loss(row));
  return all;
}

TEST(WeightPatterns, OnesAreOne) {
  EXPECT_THAT(loss_weights(WeightPattern::ones, 10), ::testing::Each(1.0F));
}

TEST(WeightPatterns, RandomSignedHasBothSigns) {
  const auto weights = loss_weights(WeightPattern::random_signed, 100);
  const auto positive = std::ranges::count_if(weights, [](float w) { return w > 0; });
  EXPECT_NEAR(static_cast<double>(positive), 50, 25);
}

TEST(WeightPatterns, ZerosMixedIsZeroInAboutHalf) {
  const auto weights = loss_weights(WeightPattern::zeros_mixed, 10000);
  EXPECT_NE(weights[0], 0);
  EXPECT_EQ(weights[1], 0);
  const auto zeros = static_cast<double>(std::ranges::count(weights, 0.0F));
  EXPECT_NEAR(zeros, 5000, 5 * std::sqrt(2500));
}

TEST(WeightPatterns, AdvantagesHaveMeanZeroAndVarianceOneInEachGroup) {
  const auto weights = loss_weights(WeightPattern::advantages, 24);
  for (std::size_t group = 0; group < weights.size(); group += 8) {
    double sum = 0, squares = 0;
    for (std::size_t i = group; i < group + 8; ++i) {
      sum += weights[i];
      squares += double{weights[i]} * weights[i];
    }
    EXPECT_NEAR(sum / 8, 0, 1e-6);
    EXPECT_NEAR(squares / 8, 1, 1e-6);
  }
}

TEST(WeightPatterns, EachOutputHasItsOwnStream) {
  const CaseInputs inputs = inputs_with(WeightPattern::random_signed);
  EXPECT_NE(inputs.grad_loss(0), inputs.grad_entropy(0));
  EXPECT_NE(inputs.grad_loss(0), inputs.grad_logprob(0, 0));
  EXPECT_NE(inputs.grad_logprob(0, 0), inputs.grad_logprob(0, 1));
}

}  // namespace
}  // namespace vparity::harness
