#include "reproducible/exact_reductions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace vparity::reproducible {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(OrderKey, KeepsTheOrderOfNumbersWithNanAbove) {
  const std::vector<float> ascending{-infinity, -3.4e38F, -1.0F,   -1e-45F,  0.0F,
                                     1e-45F,    1.0F,     3.4e38F, infinity, std::nanf("")};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(order_key(ascending[i - 1]), order_key(ascending[i])) << ascending[i];
  }
  EXPECT_EQ(order_key(-std::nanf("")), order_key(std::nanf("1")));
  EXPECT_EQ(order_key(-0.0F), order_key(0.0F));
}

TEST(OrderKey, ConvertsBackToTheNumber) {
  for (const float x : {-infinity, -2.5F, -1e-45F, 0.0F, 1e-45F, 7.0F, infinity}) {
    EXPECT_EQ(value_of(order_key(x)), x);
  }
  EXPECT_FALSE(std::signbit(value_of(order_key(-0.0F))));
  EXPECT_EQ(detail::bits_as<std::uint32_t>(value_of(order_key(-std::nanf("")))), 0x7FC00000U);
}

}  // namespace
}  // namespace vparity::reproducible
