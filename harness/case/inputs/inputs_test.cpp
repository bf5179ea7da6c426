// What holds for all inputs, whatever their pattern: they are functions of seed, row and column.
#include "harness/case/inputs/inputs.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>

#include "harness/case/inputs/every_pattern.h"
#include "harness/case/storage.h"

namespace vparity::harness {
namespace {

using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Lt;
using ::testing::TestWithParam;

constexpr std::uint64_t seed = 20260916;

/// As bits, so that NaN equals NaN and +0 differs from -0.
std::vector<std::uint32_t> bits_of(const Operands& inputs, std::int64_t row, std::int64_t begin,
                                   std::int64_t columns) {
  std::vector<float> values(static_cast<std::size_t>(columns));
  inputs.logits(row, begin, values);
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

class EveryPattern : public TestWithParam<CaseParameters> {};

TEST_P(EveryPattern, CanOccur) { EXPECT_EQ(impossible_pattern(GetParam()), ""); }

TEST_P(EveryPattern, ShardMadeAloneEqualsTheSliceOfTheFullRow) {
  const CaseParameters parameters = GetParam();
  const CaseInputs inputs(parameters, seed);
  for (std::int64_t row = 0; row < 8; ++row) {
    const auto whole = bits_of(inputs, row, 0, parameters.vocab + 5);
    for (const std::int64_t begin : {0L, 1L, 3L, 64L, parameters.vocab - 2}) {
      const std::int64_t columns = parameters.vocab + 5 - begin;
      const std::vector<std::uint32_t> slice(whole.begin() + begin, whole.end());
      EXPECT_EQ(bits_of(inputs, row, begin, columns), slice) << "row " << row << " from " << begin;
    }
  }
}

TEST_P(EveryPattern, LogitsAreWhatTheStorageTypeHolds) {
  const CaseParameters parameters = GetParam();
  const CaseInputs inputs(parameters, seed);
  std::vector<float> row(static_cast<std::size_t>(parameters.vocab));
  for (std::int64_t t = 0; t < 4; ++t) {
    inputs.logits(t, 0, row);
    for (const float x : row) {
      if (std::isnan(x)) continue;
      EXPECT_EQ(reference::round_to(format_of(parameters.dtype), x), x);
    }
  }
}

TEST_P(EveryPattern, IdsAreInRangeOrIgnored) {
  CaseParameters parameters = GetParam();
  parameters.ids = 3;
  const CaseInputs inputs(parameters, seed);
  for (std::int64_t row = 0; row < parameters.tokens; ++row) {
    for (int k = 0; k < parameters.ids; ++k) {
      const std::int64_t id = inputs.id(row, k);
      if (id == parameters.ignore_index) continue;
      EXPECT_THAT(id, AllOf(Ge(0), Lt(parameters.vocab)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, EveryPattern, ::testing::ValuesIn(every_pattern()),
                         [](const auto& test) { return pattern_name(test.param); });

class SameInputs : public TestWithParam<CaseParameters> {
 protected:
  static void expect_same(const CaseParameters& a, const CaseParameters& b) {
    const CaseInputs first(a, seed), second(b, seed);
    for (std::int64_t row = 0; row < 12; ++row) {
      EXPECT_EQ(bits_of(first, row, 0, a.vocab), bits_of(second, row, 0, b.vocab)) << row;
      EXPECT_EQ(first.id(row, 0), second.id(row, 0)) << row;
      EXPECT_EQ(first.grad_loss(row), second.grad_loss(row)) << row;
    }
  }
};

TEST_P(SameInputs, WhateverTheSplitOfTheVocabulary) {
  CaseParameters other = GetParam();
  other.tp = 8;
  other.layout = Layout::balanced;
  expect_same(GetParam(), other);
}

TEST_P(SameInputs, WhateverModeAndPlacement) {
  CaseParameters other = GetParam();
  other.mode = Mode::gather;
  other.row_stride = RowStride::strided;
  other.alignment = Alignment::odd;
  other.chunk = 3;
  expect_same(GetParam(), other);
}

INSTANTIATE_TEST_SUITE_P(Inputs, SameInputs, ::testing::ValuesIn(patterns_without_layout()),
                         [](const auto& test) { return pattern_name(test.param); });

TEST(Inputs, AnotherSeedGivesOtherInputs) {
  CaseParameters parameters;
  parameters.vocab = 100;
  EXPECT_NE(bits_of(CaseInputs(parameters, 1), 0, 0, 100),
            bits_of(CaseInputs(parameters, 2), 0, 0, 100));
}

TEST(Inputs, RowsAndColumnsFarOutAreMadeLikeTheOthers) {
  CaseParameters parameters;
  parameters.vocab = max_vocab;
  const CaseInputs inputs(parameters, seed);
  constexpr std::int64_t far = 1LL << 40;
  const auto end = bits_of(inputs, far, max_vocab - 6, 6);
  EXPECT_EQ(bits_of(inputs, far, max_vocab - 3, 3),
            std::vector<std::uint32_t>(end.begin() + 3, end.end()));
  EXPECT_NE(end, bits_of(inputs, far + 1, max_vocab - 6, 6));
  EXPECT_NE(end, bits_of(inputs, 0, max_vocab - 6, 6));
}

TEST(Inputs, OutputsThatAreOffHaveNoUpstreamGradient) {
  CaseParameters parameters;
  parameters.vocab = 10;
  parameters.grad_of = {.loss = false, .logprob = true, .entropy = false};
  const CaseInputs inputs(parameters, seed);
  EXPECT_EQ(inputs.grad_loss(0), 0);
  EXPECT_EQ(inputs.grad_entropy(0), 0);
  EXPECT_EQ(inputs.grad_logprob(0, 0), 1);
}

}  // namespace
}  // namespace vparity::harness
