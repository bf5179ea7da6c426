#include "harness/rank/element_comparison/compare.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace vparity::harness {
namespace {

using reference::Bounded;
using reference::Format;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

OutputComparison forward(double actual, const Bounded& expected) {
  OutputComparison comparison;
  comparison.add(actual, expected, {});
  return comparison;
}

OutputComparison gradient(Format format, double actual, const Bounded& expected) {
  OutputComparison comparison(format, true);
  comparison.add(actual, expected, {});
  return comparison;
}

double error_ratio(const OutputComparison& comparison) {
  return comparison.result("x", 8).error_ratio;
}

TEST(ForwardComparison, EndsAtTheBound) {
  const Bounded expected{2, 0.25};
  EXPECT_TRUE(forward(2.25, expected).passed());
  EXPECT_TRUE(forward(1.75, expected).passed());
  EXPECT_FALSE(forward(std::nextafter(2.25, 3), expected).passed());
  EXPECT_FALSE(forward(std::nextafter(1.75, 1), expected).passed());
  EXPECT_EQ(error_ratio(forward(2.125, expected)), 0.5);
  EXPECT_EQ(error_ratio(forward(3, expected)), 4);
}

TEST(GradientComparison, GrantsHalfAnUlpBesideTheBound) {
  // The ulp of bf16 in [1, 2) is 2^-7.
  const Bounded expected{1, 0x1p-20};
  EXPECT_EQ(error_ratio(gradient(Format::bf16, 1 + 0x1p-8, expected)), 0);
  EXPECT_EQ(error_ratio(gradient(Format::bf16, 1 + 0x1p-8 + 0x1p-21, expected)), 0.5);
  EXPECT_TRUE(gradient(Format::bf16, 1 + 0x1p-8 + 0x1p-20, expected).passed());
  EXPECT_FALSE(gradient(Format::bf16, 1 + 0x1p-7, expected).passed());
  EXPECT_FALSE(gradient(Format::fp32, 1 + 0x1p-8, expected).passed());
}

TEST(Comparison, NanMatchesNanOnly) {
  EXPECT_TRUE(forward(not_a_number, {not_a_number, 0}).passed());
  EXPECT_TRUE(forward(-not_a_number, {not_a_number, 0}).passed());
  EXPECT_EQ(error_ratio(forward(0, {not_a_number, 0})), inf);
  EXPECT_EQ(error_ratio(forward(inf, {not_a_number, 0})), inf);
  for (const double expected : {0.0, 1.0, inf})
    for (const double bound : {0.0, 1e9}) {
      EXPECT_EQ(error_ratio(forward(not_a_number, {expected, bound})), inf);
      EXPECT_FALSE(forward(not_a_number, {expected, bound}).passed());
    }
}

TEST(Comparison, BoundThatIsNoNumberPassesNothing) {
  EXPECT_FALSE(forward(1, {1, inf}).passed());
  EXPECT_FALSE(forward(1, {1, not_a_number}).passed());
}

TEST(Comparison, InfinitiesMatchInSign) {
  EXPECT_TRUE(forward(-inf, {-inf, 0}).passed());
  EXPECT_EQ(error_ratio(forward(inf, {-inf, 0})), inf);
  EXPECT_EQ(error_ratio(forward(-3e38, {-inf, 0})), inf);
  EXPECT_EQ(error_ratio(forward(inf, {7, 1})), inf);
}

TEST(Comparison, ExactZeroIsPositive) {
  EXPECT_TRUE(gradient(Format::bf16, 0.0, {0, 0}).passed());
  EXPECT_EQ(error_ratio(gradient(Format::bf16, -0.0, {0, 0})), inf);
  EXPECT_EQ(error_ratio(gradient(Format::bf16, 1e-45, {0, 0})), inf);
  EXPECT_TRUE(gradient(Format::bf16, -0.0, {0, 1e-38}).passed());
}

TEST(Comparison, ValueBeyondTheRangeIsExpectedAsAnInfinity) {
  // fp16 ends at 65504; from 65520 on, values are stored as infinities.
  const Bounded beyond{-70000, 1};
  EXPECT_TRUE(gradient(Format::fp16, -inf, beyond).passed());
  EXPECT_EQ(error_ratio(gradient(Format::fp16, inf, beyond)), inf);
  EXPECT_EQ(error_ratio(gradient(Format::fp16, -65504, beyond)), inf);
  EXPECT_TRUE(forward(inf, {1e39, 1e32}).passed());
}

TEST(Comparison, ValueWithinItsBoundOfTheRangesEndMayBeEither) {
  for (const double expected : {65519.0, 65521.0}) {
    EXPECT_LE(error_ratio(gradient(Format::fp16, inf, {expected, 2})), 0.5);
    EXPECT_LE(error_ratio(gradient(Format::fp16, 65504, {expected, 2})), 0.5);
  }
  EXPECT_EQ(error_ratio(gradient(Format::fp16, inf, {65510, 2})), inf);
  EXPECT_EQ(error_ratio(gradient(Format::fp16, 65504, {65530, 2})), inf);
}

// 1 / V is below any usual absolute tolerance; the bound is not.
TEST(Comparison, ZeroFilledGradientFailsAtLargeVocabularies) {
  const std::vector<float> logits(151936, 0.5F);
  const std::array<std::int64_t, 1> ids{3};
  const reference::RowGradient row =
      reference::row_gradient(reference::row_statistics(logits, ids, {}), {.loss = 1}, {});
  for (const Format format : {Format::fp32, Format::bf16, Format::fp16}) {
    OutputComparison zeros(format, true), right(format, true);
    for (std::int64_t v = 0; v < row.row.vocab; ++v) {
      const Bounded expected = reference::gradient(row, v, 0.5F);
      zeros.add(0, expected, {0, v, 0});
      right.add(reference::round_to(format, expected.value), expected, {0, v, 0});
    }
    EXPECT_EQ(zeros.result("grad_logits", row.row.vocab).mismatches, row.row.vocab);
    EXPECT_TRUE(right.passed());
    EXPECT_EQ(right.expected_zeros(), 0);
  }
}

TEST(Comparison, PoisonThatNobodyOverwroteFails) {
  const double poison = std::bit_cast<float>(0xFFFFFFFFU);
  EXPECT_FALSE(forward(poison, {1, 1}).passed());
  EXPECT_FALSE(gradient(Format::bf16, poison, {0, 0}).passed());
}

TEST(Comparison, WithoutElementsItSaysSo) {
  const OutputComparison nothing;
  EXPECT_EQ(nothing.elements(), 0);
  EXPECT_FALSE(nothing.result("loss", 8).worst.has_value());
}

TEST(Comparison, ExpectedZerosAreCountedAsTheFormatHasThem) {
  const auto zeros = [](Format format, double expected) {
    return gradient(format, 0, {expected, 1}).expected_zeros();
  };
  EXPECT_EQ(zeros(Format::fp16, 0x1p-25), 1);  // a tie between 0 and 2^-24, to even
  EXPECT_EQ(zeros(Format::fp16, std::nextafter(0x1p-25, 1)), 0);
  EXPECT_EQ(zeros(Format::bf16, -0x1p-25), 0);
  EXPECT_EQ(zeros(Format::bf16, -0.0), 1);
  EXPECT_EQ(zeros(Format::fp16, 70000), 0);
  EXPECT_EQ(zeros(Format::fp32, inf), 0);
  EXPECT_EQ(zeros(Format::fp32, not_a_number), 0);
}

TEST(Comparison, AnElementIsTrivialWhereNoErrorCouldShow) {
  const auto nontrivial = [](Format format, const Bounded& expected) {
    return gradient(format, 0, expected).result("x", 8).nontrivial;
  };
  EXPECT_EQ(nontrivial(Format::fp32, {1, 1e-6}), 1);
  EXPECT_EQ(nontrivial(Format::fp32, {1, 0}), 0);  // demanded exactly
  EXPECT_EQ(nontrivial(Format::fp32, {0, 1e-6}), 0);
  EXPECT_EQ(nontrivial(Format::fp16, {0x1p-25, 1e-9}), 0);  // 0 once rounded
  EXPECT_EQ(nontrivial(Format::fp16, {1e5, 1}), 0);         // an infinity
  EXPECT_EQ(nontrivial(Format::fp32, {not_a_number, 0}), 0);
}

TEST(Comparison, FiguresByHand) {
  OutputComparison comparison(Format::fp16, true);
  comparison.add(4.5, {4, 1}, {0, 0, 0});           // 0.5: 1/8, 128 ulps of 2^-8
  comparison.add(-1, {0, 1}, {0, 1, 0});            // 1: no relative error, 2^24 ulps
  comparison.add(inf, {inf, 0}, {0, 2, 0});         // not a finite pair
  comparison.add(not_a_number, {1, 1}, {0, 3, 0});  // nor is this
  const reports::OutputResult result = comparison.result("grad_logits", 1000);
  EXPECT_EQ(result.name, "grad_logits");
  EXPECT_EQ(result.elements, 4);
  EXPECT_EQ(result.checked, 4);
  EXPECT_EQ(result.mismatches, 1);
  EXPECT_EQ(result.nonfinite, 2);
  EXPECT_EQ(result.max_abs, 1);
  EXPECT_EQ(result.max_rel, 0.125);
  EXPECT_EQ(result.max_ulp, 0x1p24);
  EXPECT_EQ(result.rms, std::sqrt(1.25 / 2));
  EXPECT_EQ(result.bound_k, 16);
  EXPECT_EQ(result.bound_c, 2);
}

std::vector<OutputComparison> three_ranks() {
  std::vector<OutputComparison> ranks(3);
  ranks[0].add(1.5, {1, 1}, {4, 7, 0});
  ranks[0].add(5, {1, 2}, {9, 0, 0});
  ranks[1].add(3, {1, 1}, {9, 0, 1});
  ranks[1].add(3, {1, 1}, {3, 8, 1});
  ranks[2].add(-1, {1, 1}, {3, 5, 2});
  return ranks;
}

TEST(CombinedComparison, KeepsTheWorstElementFirstByRowAndColumn) {
  OutputComparison all;
  for (const OutputComparison& rank : three_ranks()) all.combine(rank);
  const reports::OutputResult result = all.result("loss", 8);
  EXPECT_EQ(result.elements, 5);
  EXPECT_EQ(result.mismatches, 4);
  EXPECT_EQ(result.error_ratio, 2);
  ASSERT_TRUE(result.worst);
  EXPECT_EQ(result.worst->row, 3);
  EXPECT_EQ(result.worst->column, 5);
  EXPECT_EQ(result.worst->rank, 2);
  EXPECT_EQ(result.worst->expected, 1);
  EXPECT_EQ(result.worst->actual, -1);
}

TEST(CombinedComparison, DoesNotDependOnTheOrder) {
  const std::vector<OutputComparison> ranks = three_ranks();
  std::vector<int> order{0, 1, 2};
  do {
    OutputComparison all;
    for (const int rank : order) all.combine(ranks[static_cast<std::size_t>(rank)]);
    const reports::OutputResult result = all.result("loss", 8);
    EXPECT_EQ(result.worst->row, 3);
    EXPECT_EQ(result.worst->column, 5);
    EXPECT_EQ(result.max_abs, 4);
    EXPECT_EQ(result.max_rel, 4);
    EXPECT_EQ(result.rms, std::sqrt((0.25 + 16 + 4 + 4 + 4) / 5));
    EXPECT_EQ(result.mismatches, 4);
  } while (std::ranges::next_permutation(order).found);
}

TEST(CombinedComparison, MissedDemandBeatsEveryFiniteErrorRatio) {
  OutputComparison all = forward(1e30, {0, 1e-30});
  OutputComparison missed;
  missed.add(-0.0, {0, 0}, {5, 5, 5});
  all.combine(missed);
  EXPECT_EQ(error_ratio(all), inf);
  EXPECT_EQ(all.result("loss", 8).worst->row, 5);
}

}  // namespace
}  // namespace vparity::harness
