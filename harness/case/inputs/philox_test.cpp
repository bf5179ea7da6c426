#include "harness/case/inputs/philox.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace vparity::harness::philox {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// The known answers of philox4x32_10 that Random123 is published with (kat_vectors).

TEST(Philox, GivesTheKnownAnswerForZeros) {
  EXPECT_THAT(words(0, Stream{0}, 0, 0),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
}

TEST(Philox, GivesTheKnownAnswerForOnes) {
  EXPECT_THAT(words(~0ULL, Stream{0xffffffff}, -1, 0xffffffff),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
}

TEST(Philox, GivesTheKnownAnswerForDigitsOfPi) {
  EXPECT_THAT(words(0x299f31d0a4093822, Stream{0x03707344}, 0x13198a2e85a308d3, 0x243f6a88),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(Philox, AnyPartOfARowEqualsTheSliceOfTheWhole) {
  std::vector<float> whole(37);
  fill_normal(5, Stream::logits, 3, 0, whole);
  for (std::size_t begin = 0; begin <= whole.size(); ++begin) {
    for (std::size_t end = begin; end <= whole.size(); ++end) {
      std::vector<float> part(end - begin);
      fill_normal(5, Stream::logits, 3, static_cast<std::int64_t>(begin), part);
      EXPECT_EQ(part, std::vector<float>(whole.begin() + static_cast<std::ptrdiff_t>(begin),
                                         whole.begin() + static_cast<std::ptrdiff_t>(end)));
    }
  }
}

TEST(Philox, RowsBeyond32BitsDiffer) {
  EXPECT_NE(words(1, Stream::logits, 7, 0), words(1, Stream::logits, 7 + (1LL << 32), 0));
}

/// Standard errors of the estimates over n numbers: mean 1 / sqrt(n), variance sqrt(2 / n).
TEST(Philox, NormalNumbersHaveMeanZeroAndVarianceOne) {
  constexpr std::size_t n = 100000;
  std::vector<float> values(n);
  fill_normal(11, Stream::logits, 0, 0, values);
  double sum = 0, squares = 0;
  for (const double x : values) {
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 5 * std::sqrt(2.0 / n));
}

TEST(Philox, UniformNumbersStayInRangeAndFillIt) {
  constexpr std::size_t n = 100000;
  std::vector<float> values(n);
  fill_uniform(11, Stream::logits, 0, 0, values);
  EXPECT_THAT(values, Each(::testing::AllOf(::testing::Ge(-1.0F), ::testing::Le(1.0F))));
  double squares = 0;
  for (const double x : values) squares += x * x;
  EXPECT_NEAR(squares / n, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / n));
}

TEST(Philox, NumbersBelowABoundReachBothEnds) {
  EXPECT_EQ(below(10, 0), 0);
  EXPECT_EQ(below(10, 0xffffffff), 9);
}

}  // namespace
}  // namespace vparity::harness::philox
