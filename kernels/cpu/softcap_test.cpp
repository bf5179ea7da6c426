// f(x) = c tanh(x / c), one logit at a time and inside the vectorised pass.
#include <limits>

#include "cpu/row_kernels_test_support.h"

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
      const float actual = Transform{.softcap = c}.apply(x);
      ASSERT_NEAR(static_cast<double>(actual), static_cast<double>(exact), 0.51 * ulp)
          << "c " << c << ", x " << x;
    }
  }
}

TEST_P(Softcap, MaskedLogitStaysMasked) {
  EXPECT_EQ(Transform{.softcap = 30.0F}.apply(-HUGE_VALF), -HUGE_VALF);
}

TEST_P(Softcap, AbsentLeavesTheLogit) { EXPECT_EQ(Transform{}.apply(1234.5F), 1234.5F); }

// The row's maximum is f of its only column, wherever in a vector that column lies.
TEST_P(Softcap, OneLogitHasTheBitsOfTheVectorisedPass) {
  const std::vector<float> values = logits();
  for (const float c : caps) {
    const Transform transform{.softcap = c};
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::vector<double> row(9, -infinity);
      row[i % 9] = static_cast<double>(values[i]);
      StoredRows stored = one_row(DType::fp32, row);
      ASSERT_EQ(forward(stored, transform)[0].max, transform.apply(values[i])) << values[i];
    }
  }
}

}  // namespace
}  // namespace vparity::cpu
