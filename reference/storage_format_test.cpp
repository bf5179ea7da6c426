#include "reference/storage_format.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace vparity::reference {
namespace {

using testing::IsNan;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr unsigned patterns = 65536;

double decode(Format format, unsigned bits) {
  return decode16(format, static_cast<std::uint16_t>(bits));
}

class SixteenBits : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, SixteenBits, testing::Values(Format::bf16, Format::fp16));

TEST_P(SixteenBits, EveryPatternSurvivesDecodingAndEncoding) {
  for (unsigned bits = 0; bits < patterns; ++bits) {
    const double value = decode(GetParam(), bits);
    if (std::isnan(value)) continue;
    ASSERT_EQ(encode16(GetParam(), value), bits);
    ASSERT_EQ(round_to(GetParam(), value), value);
  }
}

TEST_P(SixteenBits, HalfwayCasesGoToTheEvenNeighbour) {
  const Format format = GetParam();
  for (unsigned bits = 0; std::isfinite(decode(format, bits + 1)); ++bits) {
    const double below = decode(format, bits), above = decode(format, bits + 1);
    const double middle = (below + above) / 2;  // exact in double
    ASSERT_EQ(encode16(format, middle), bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(encode16(format, std::nextafter(middle, 0)), bits);
    ASSERT_EQ(encode16(format, std::nextafter(middle, inf)), bits + 1);
    ASSERT_EQ(encode16(format, -std::nextafter(middle, inf)), (bits + 1) | 0x8000U);
  }
}

TEST_P(SixteenBits, HalfUlpIsHalfTheDistanceToTheNextLargerMagnitude) {
  const Format format = GetParam();
  for (unsigned bits = 0; std::isfinite(decode(format, bits + 1)); ++bits) {
    const double value = decode(format, bits);
    ASSERT_EQ(half_ulp(format, value), (decode(format, bits + 1) - value) / 2);
    ASSERT_EQ(half_ulp(format, -value), half_ulp(format, value));
  }
}

TEST_P(SixteenBits, NanIsWrittenCanonically) {
  const unsigned canonical = GetParam() == Format::bf16 ? 0x7FC0 : 0x7E00;
  EXPECT_EQ(encode16(GetParam(), std::nan("")), canonical);
  EXPECT_EQ(encode16(GetParam(), -std::nan("")), canonical);
  EXPECT_THAT(decode(GetParam(), canonical), IsNan());
}

// The patterns that both formats' definitions give for these numbers.
TEST(StorageFormat, KnownPatterns) {
  EXPECT_EQ(encode16(Format::bf16, 1), 0x3F80);
  EXPECT_EQ(encode16(Format::fp16, 1), 0x3C00);
  EXPECT_EQ(encode16(Format::fp16, -2), 0xC000);
  EXPECT_EQ(encode16(Format::fp16, 65504), 0x7BFF);
  EXPECT_EQ(encode16(Format::fp16, 0x1p-24), 0x0001);
  EXPECT_EQ(encode16(Format::bf16, 0x1p-133), 0x0001);
  EXPECT_EQ(encode16(Format::fp16, -0.0), 0x8000);
  EXPECT_EQ(encode16(Format::bf16, -inf), 0xFF80);
}

TEST(StorageFormat, OverflowBeginsHalfAnUlpAboveTheLargest) {
  EXPECT_EQ(largest_finite(Format::fp16), 65504);
  EXPECT_EQ(largest_finite(Format::fp32), double{std::numeric_limits<float>::max()});
  EXPECT_EQ(round_to(Format::fp16, 65520), inf);
  EXPECT_EQ(round_to(Format::fp16, -65520), -inf);
  EXPECT_EQ(round_to(Format::fp16, std::nextafter(65520, 0)), 65504);
  EXPECT_EQ(half_ulp(Format::fp16, std::nextafter(65520, 0)), 16);
  EXPECT_EQ(half_ulp(Format::fp16, -65520), inf);
  EXPECT_EQ(half_ulp(Format::fp16, inf), inf);
  EXPECT_THAT(half_ulp(Format::fp16, NAN), IsNan());
}

TEST(StorageFormat, RoundsOnceNotThroughFp32) {
  // 1 + 2^-8 + 2^-30 lies above the middle of 1 and 1 + 2^-7; through fp32 it would be a tie.
  EXPECT_EQ(round_to(Format::bf16, 1 + 0x1p-8 + 0x1p-30), 1 + 0x1p-7);
  EXPECT_EQ(round_to(Format::fp16, 1 + 0x1p-11 + 0x1p-30), 1 + 0x1p-10);
}

TEST(StorageFormat, Fp32AgreesWithTheProcessor) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1'000'000; ++i) {
    // Any double whose exponent lies in or near the range of fp32.
    const std::uint64_t bits = random();
    const std::uint64_t exponent = 1023 - 155 + (bits >> 52 & 0x7FF) % 290;
    const auto value =
        std::bit_cast<double>((bits & ~(std::uint64_t{0x7FF} << 52)) | exponent << 52);
    ASSERT_EQ(round_to(Format::fp32, value), double{static_cast<float>(value)}) << value;
  }
}

TEST(StorageFormat, DoublesBelowEveryRangeRoundToZeroOfTheirSign) {
  for (const Format format : {Format::fp32, Format::bf16, Format::fp16}) {
    EXPECT_EQ(round_to(format, 5e-324), 0);
    EXPECT_TRUE(std::signbit(round_to(format, -5e-324)));
  }
  EXPECT_EQ(half_ulp(Format::fp32, 0), 0x1p-150);
}

TEST(StorageFormat, Fp32HasNoSixteenBitPattern) {
  EXPECT_THROW(encode16(Format::fp32, 1), std::invalid_argument);
  EXPECT_THROW(decode16(Format::fp32, 0), std::invalid_argument);
}

}  // namespace
}  // namespace vparity::reference
