#include "host/pipeline/forward_call.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "reference/storage_format.h"

namespace vparity {
namespace {

float read_back(std::uint16_t bits, DType dtype, const Transform& transform = {}) {
  std::byte storage[3];  // one byte off any alignment
  std::memcpy(storage + 1, &bits, sizeof bits);
  return target_logit({{storage + 1, dtype, 1, 1}, {0, 1, 1}}, 0, 0, transform);
}

void expect_every_pattern_decodes(DType dtype, reference::Format format) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const double expected = reference::decode16(format, pattern);
    const float actual = read_back(pattern, dtype);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(actual)) << bits;
    } else {
      ASSERT_EQ(actual, expected) << bits;
      ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << bits;
    }
  }
}

TEST(TargetLogit, EveryFp16PatternIsReadExactly) {
  expect_every_pattern_decodes(DType::fp16, reference::Format::fp16);
}

TEST(TargetLogit, EveryBf16PatternIsReadExactly) {
  expect_every_pattern_decodes(DType::bf16, reference::Format::bf16);
}

TEST(TargetLogit, TheSoftcapDoesNotMakeAMaskedTargetFinite) {
  const std::uint16_t minus_infinity = 0xFF80;
  EXPECT_EQ(read_back(minus_infinity, DType::bf16, {.temperature = 1, .softcap = 30}),
            -std::numeric_limits<float>::infinity());
  EXPECT_NEAR(read_back(0x3F80, DType::bf16, {.temperature = 1, .softcap = 2}), 2 * std::tanh(0.5),
              1e-6);
}

}  // namespace
}  // namespace vparity
