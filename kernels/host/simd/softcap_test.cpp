// f(x) = c tanh(x / c), one logit at a time and inside the vectorised pass.
#include <limits>

#include "host/simd/row_kernels_test_support.h"

namespace vparity::cpu {
namespace {

class Softcap : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(Softcap);

constexpr float caps[] = {1.0F, 30.0F, 50.0F, 0.1F, 1e30F};

/// Logits from far below the cap to far above it, of both signs.
std::vector<float> logits() {
  std::vector<float> values{0.0F, -0.0F, 1e-45F, 1e-38F, -1e-30F, 3.4e38F, -3.4e38F};
  for (float x = 1e-10F; x < 1e5F; x *= 1.0037F) values.insert(values.end(), {x, -x});
  return values;
}

// One ulp is 2 u for the values just above a power of two.
TEST_P(Softcap, IsWithinOneUlpOfLongDouble) {
  for (const float c : caps) {
    for (const float x : logits()) {
      const long double exact = c * std::tanh(static_cast<long double>(x) / c);
      const double ulp =
          2 * reference::half_ulp(reference::Format::fp32, static_cast<double>(exact));
      const float actual = apply(Transform{.softcap = c}, x);
      ASSERT_NEAR(static_cast<double>(actual), static_cast<double>(exact), 0.51 * ulp)
          << "c " << c << ", x " << x;
    }
  }
}

// A row whose only coefficient is D = 1 has the slope 1 - tanh^2 = 1 / cosh^2 as its gradient. Deep
// in saturation it goes on falling, to 0, and does not stop where tanh rounds to 1.
TEST_P(Softcap, SlopeFallsToZero) {
  for (const float c : caps) {
    const std::vector<float> x = logits();
    StoredRows stored = one_row(DType::fp32, {x.begin(), x.end()});
    const RowGradient row{RowGradient::Kind::formula, 3.4e38F, 0, 0, 0, 1};
    StoredRows gradient(DType::fp32, stored.shape());
    backward_rows(stored.shard(), {.softcap = c}, std::span(&row, 1), {}, gradient.mutable_shard());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double cosh = std::cosh(static_cast<long double>(x[i]) / c);
      const auto exact = static_cast<double>(1 / (cosh * cosh));
      ASSERT_NEAR(static_cast<double>(gradient.get(0, static_cast<std::int64_t>(i))), exact,
                  0x1p-22 * exact + 0x1p-125)
          << "c " << c << ", x " << x[i];
    }
  }
}

TEST_P(Softcap, MaskedLogitStaysMasked) {
  EXPECT_EQ(apply(Transform{.softcap = 30.0F}, -HUGE_VALF), -HUGE_VALF);
}

TEST_P(Softcap, AbsentLeavesTheLogit) { EXPECT_EQ(apply(Transform{}, 1234.5F), 1234.5F); }

// The row's maximum is f of its only column, wherever in a vector that column lies.
TEST_P(Softcap, OneLogitHasTheBitsOfTheVectorisedPass) {
  const std::vector<float> values = logits();
  for (const float c : caps) {
    const Transform transform{.softcap = c};
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<double> row(9, -infinity);
      row[i % 9] = static_cast<double>(values[i]);
      StoredRows stored = one_row(DType::fp32, row);
      ASSERT_EQ(forward(stored, transform)[0].max, apply(transform, values[i])) << values[i];
    }
  }
}

}  // namespace
}  // namespace vparity::cpu
