#include "harness/case/inputs/logits_patterns.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/case/inputs/every_pattern.h"
#include "harness/case/inputs/inputs.h"
#include "harness/case/inputs/row_schedule.h"
#include "harness/case/storage.h"

namespace vparity::harness {
namespace {

constexpr std::int64_t vocab = 20000;

CaseParameters wide_case(LogitsPattern logits, DType dtype = DType::fp32) {
  CaseParameters parameters = with(pattern_base(), logits, dtype);
  parameters.vocab = vocab;
  return parameters;
}

std::vector<float> row_of(const CaseParameters& parameters, std::int64_t row) {
  std::vector<float> logits(static_cast<std::size_t>(parameters.vocab));
  CaseInputs(parameters, 1).logits(row, 0, logits);
  return logits;
}

double mean_of(const std::vector<float>& row) {
  double sum = 0;
  for (const double x : row) sum += x;
  return sum / static_cast<double>(row.size());
}

TEST(LogitsPatterns, LmLikeRowsFallWithTheLogarithmOfTheRank) {
  std::vector<float> row = row_of(wide_case(LogitsPattern::lm_like), 0);
  std::ranges::sort(row, std::greater());
  // Rank 10 against rank 10000 by p ~ (r + 1)^-1.2; the noise has a standard deviation of 0.5.
  EXPECT_NEAR(row[9] - row[9999], 1.2 * std::log(10000 / 10.0), 1);
}

TEST(LogitsPatterns, ConstantRowsHoldOneValueWhichDiffersByRow) {
  const auto row = row_of(wide_case(LogitsPattern::constant), 0);
  EXPECT_THAT(row, ::testing::Each(row.front()));
  EXPECT_NE(row_of(wide_case(LogitsPattern::constant), 1).front(), row.front());
}

TEST(LogitsPatterns, OnePeakIsTheLabelInOddRowsOnly) {
  const CaseParameters parameters = wide_case(LogitsPattern::one_peak);
  const CaseInputs inputs(parameters, 1);
  for (std::int64_t t = 0; t < 6; ++t) {
    const auto row = row_of(parameters, t);
    const auto peak = std::ranges::max_element(row);
    EXPECT_EQ(*peak, 25);
    EXPECT_EQ(peak - row.begin() == inputs.id(t, 0), t % 2 == 1);
  }
}

TEST(LogitsPatterns, LargeOffsetAlternatesItsSignAndKeepsDifferences) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    const CaseParameters parameters = wide_case(LogitsPattern::large_offset, dtype);
    EXPECT_NEAR(mean_of(row_of(parameters, 0)), 1e4, 10);
    EXPECT_NEAR(mean_of(row_of(parameters, 1)), -1e4, 10);
    const auto row = row_of(parameters, 0);
    EXPECT_GT(std::set<float>(row.begin(), row.end()).size(), 8U);
  }
}

TEST(LogitsPatterns, WideRowsReachEightyOnBothSides) {
  const auto row = row_of(wide_case(LogitsPattern::wide), 0);
  const auto [low, high] = std::ranges::minmax(row);
  EXPECT_NEAR(low, -80, 0.1);
  EXPECT_NEAR(high, 80, 0.1);
}

TEST(LogitsPatterns, AscendingRowsNeverFallAndEndWithTheirMaximum) {
  const auto row = row_of(wide_case(LogitsPattern::ascending), 0);
  EXPECT_TRUE(std::ranges::is_sorted(row));
  EXPECT_GT(row.back(), row[row.size() - 2]);
}

TEST(LogitsPatterns, TiesHoldTheMaximumInAQuarterOfTheColumns) {
  const auto row = row_of(wide_case(LogitsPattern::ties), 0);
  EXPECT_EQ(std::set<float>(row.begin(), row.end()).size(), 7U);
  const auto maxima = std::ranges::count(row, std::ranges::max(row));
  EXPECT_NEAR(static_cast<double>(maxima) / vocab, 0.25, 5 * std::sqrt(0.1875 / vocab));
}

TEST(LogitsPatterns, ExtremeRowsReachTheEndsOfTheStorageType) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    const auto largest = static_cast<float>(reference::largest_finite(format_of(dtype)));
    const auto least = static_cast<float>(2 * reference::half_ulp(format_of(dtype), 0));
    const CaseParameters parameters = wide_case(LogitsPattern::extreme, dtype);

    const auto ends = row_of(parameters, 0);
    EXPECT_EQ(std::ranges::max(ends), largest);
    EXPECT_EQ(std::ranges::min(ends), -largest);

    const auto tiny = row_of(parameters, 1);
    EXPECT_EQ(std::ranges::max(tiny), 7 * least);
    const auto negative_zero = [](float x) { return x == 0 && std::signbit(x); };
    EXPECT_TRUE(std::ranges::any_of(tiny, negative_zero));
    EXPECT_THAT(tiny, ::testing::Contains(least));

    EXPECT_THAT(row_of(parameters, 3), ::testing::Contains(-largest));
  }
}

TEST(LogitsPatterns, NonfiniteRowsHoldOneNanOrInfinityUnderAnyMask) {
  for (const MaskPattern mask :
       {MaskPattern::none, MaskPattern::top_k, MaskPattern::all_but_one, MaskPattern::whole_row}) {
    CaseParameters parameters = with(pattern_base(), mask);
    parameters.logits = LogitsPattern::nonfinite;
    const CaseInputs inputs(parameters, 1);
    for (std::int64_t t = 0; t < 16; ++t) {
      const auto row = row_of(parameters, t);
      const auto nans = std::ranges::count_if(row, [](float x) { return std::isnan(x); });
      EXPECT_EQ(nans, t % 4 == 0 ? 1 : 0) << t;
      EXPECT_EQ(std::ranges::count(row, INFINITY), t % 4 == 2 ? 1 : 0) << t;
      if (schedule::nonfinite_ignored(t)) {
        EXPECT_EQ(inputs.id(t, 0), parameters.ignore_index) << t;
      }
    }
  }
}

TEST(LogitsPatterns, PaddingHoldsNan) {
  CaseParameters parameters = pattern_base();
  parameters.layout = Layout::padded;
  std::vector<float> beyond(8);
  CaseInputs(parameters, 1).logits(0, parameters.vocab, beyond);
  EXPECT_THAT(beyond, ::testing::Each(::testing::IsNan()));
}

TEST(LogitsPatterns, PaddingUnderTestIsFiniteAndAboveTheRow) {
  for (const LogitsPattern logits :
       {LogitsPattern::normal, LogitsPattern::large_offset, LogitsPattern::extreme}) {
    for (const DType dtype : {DType::fp32, DType::fp16}) {
      CaseParameters parameters = with(pattern_base(), MaskPattern::padding);
      parameters.logits = logits;
      parameters.dtype = dtype;
      std::vector<float> beyond(50);
      CaseInputs(parameters, 1).logits(0, parameters.vocab, beyond);
      EXPECT_GE(std::ranges::max(beyond), std::ranges::max(row_of(parameters, 0)));
      EXPECT_TRUE(std::ranges::all_of(beyond, [](float x) { return std::isfinite(x); }));
    }
  }
}

}  // namespace
}  // namespace vparity::harness
