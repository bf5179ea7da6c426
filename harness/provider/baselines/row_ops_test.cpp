#include "harness/provider/baselines/row_ops.h"

#include <gmock/gmock.h>
#include <hwy/targets.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness/case/storage.h"

namespace vparity::harness::baselines {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::size_t lengths[] = {0, 1, 3, 15, 16, 17, 63, 64, 65, 1000, 1024, 5003};

/// Runs once per instruction set of this machine.
class RowOps : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};
INSTANTIATE_TEST_SUITE_P(Targets, RowOps, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& test) { return std::string(hwy::TargetName(test.param)); });

std::vector<float> random_floats(std::size_t count, float low, float high) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::uniform_real_distribution<float> uniform(low, high);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  return values;
}

TEST_P(RowOps, MaximumFindsItInEveryPlaceAndKeepsNan) {
  for (const std::size_t length : lengths) {
    std::vector<float> x(length, -3);
    EXPECT_EQ(maximum(x), length == 0 ? -infinity : -3);
    for (std::size_t i = 0; i < length; i += 1 + length / 97) {
      x[i] = -2;
      ASSERT_EQ(maximum(x), -2) << length << " " << i;
      x[i] = std::nanf("");
      ASSERT_TRUE(std::isnan(maximum(x))) << length << " " << i;
      x[i] = -3;
    }
  }
}

TEST_P(RowOps, SumsOfIntegersAreExactAtEveryLength) {
  for (const std::size_t length : lengths) {
    const std::vector<float> twos(length, 2), threes(length, 3);
    EXPECT_EQ(sum(twos), 2 * static_cast<float>(length));
    EXPECT_EQ(sum_of_products(twos, threes), 6 * static_cast<float>(length));
  }
}

// Equal addends are the worst case of a running sum: their roundings all go one way.
TEST_P(RowOps, SumsOfEqualAddendsStayWithinTheirTree) {
  const std::vector<float> tenths(262208, 0.1F);
  const double exact = 262208 * double{0.1F};
  EXPECT_NEAR(sum(tenths), exact, 30 * 0x1p-24 * exact);
}

TEST_P(RowOps, ProductWithAMaskedLogitIsZero) {
  for (const std::size_t length : {1, 40, 70}) {
    std::vector<float> p(length, 0.5F), z(length, -2);
    p.back() = 0;
    z.back() = -infinity;
    EXPECT_EQ(sum_of_products(p, z), -static_cast<float>(length - 1));
  }
}

TEST_P(RowOps, ExponentialsAreWithinFourUlps) {
  for (const std::size_t length : lengths) {
    const auto x = random_floats(length, -87, 0);
    std::vector<float> e(length);
    exponentials(x, e);
    for (std::size_t i = 0; i < length; ++i) {
      const double exact = std::exp(double{x[i]});
      ASSERT_NEAR(e[i], exact, 4 * 0x1p-23 * exact) << x[i];
    }
  }
}

TEST_P(RowOps, ExponentialsOfSpecialValues) {
  const std::vector<float> x{0, -0.0F, -infinity, -1e38F, std::nanf("")};
  std::vector<float> e(x.size());
  exponentials(x, e);
  EXPECT_THAT(e, testing::ElementsAre(1, 1, 0, 0, testing::IsNan()));
}

TEST_P(RowOps, ElementwisePassesReachEveryElementAndNoOther) {
  for (const std::size_t length : lengths) {
    std::vector<float> x(length + 1, 6), y(length + 1, 3), out(length + 1, 9);
    const auto of = [&](std::vector<float>& all) { return std::span(all).first(length); };
    subtract(of(x), 2);           // 4
    divide(of(x), 8);             // 1/2
    multiply(of(x), of(y));       // 3/2
    add_scaled(of(x), 2, of(y));  // 15/2
    scaled(of(x), 4, of(out));    // 30
    std::vector<float> expected(length, 30);
    expected.push_back(9);
    ASSERT_EQ(out, expected);
    finite_differences(of(x), 7, of(out));
    for (std::size_t i = 0; i < length; ++i) ASSERT_EQ(out[i], 0.5F);
    ASSERT_EQ(x.back(), 6);
    ASSERT_EQ(out.back(), 9);
  }
}

TEST_P(RowOps, ScaledZeroIsPositiveAndDifferencesAreFinite) {
  const std::vector<float> zero(3, 0), masked(3, -infinity);
  std::vector<float> out(3);
  scaled(zero, -1, out);
  EXPECT_FALSE(std::signbit(out[0]));
  finite_differences(masked, 1, out);
  EXPECT_EQ(out[0], std::numeric_limits<float>::lowest());
}

/// Every 16-bit pattern, at an address that is or is not aligned to its elements.
void expect_stored_as_the_format_says(DType dtype, std::size_t offset) {
  std::vector<std::byte> stored(2 * 65536 + offset), again(stored.size());
  for (std::size_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    std::memcpy(&stored[offset + 2 * i], &bits, 2);
  }
  std::vector<float> wide(65536), expected(65536);
  widen(dtype, &stored[offset], wide);
  decode(dtype, &stored[offset], expected);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (std::isnan(expected[i])) continue;
    ASSERT_EQ(wide[i], expected[i]) << "pattern " << i;
    wide[i] *= 1.0F + 0x1p-9F;  // no longer of the type
  }
  narrow(dtype, wide, &again[offset]);
  round_to(dtype, wide);
  decode(dtype, &again[offset], expected);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (std::isnan(wide[i])) {
      ASSERT_TRUE(std::isnan(expected[i])) << "pattern " << i;
    } else {
      ASSERT_EQ(expected[i], wide[i]) << "pattern " << i;
    }
  }
}

TEST_P(RowOps, StorageTypesAreReadAndWrittenToNearestEven) {
  for (const DType dtype : {DType::bf16, DType::fp16}) {
    expect_stored_as_the_format_says(dtype, 0);
    expect_stored_as_the_format_says(dtype, 1);
  }
}

}  // namespace
}  // namespace vparity::harness::baselines
