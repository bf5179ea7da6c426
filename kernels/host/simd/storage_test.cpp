// Conversions between fp32 and the 16-bit storage types, through the passes that use them.
#include <random>

#include "host/simd/row_kernels_test_support.h"

namespace vparity::cpu {
namespace {

class Storage : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(Storage);

/// The 65536 patterns as rows of one column, whose maximum is the widened value itself.
void expect_every_pattern_widens_exactly(DType dtype) {
  constexpr std::int64_t patterns = 1 << 16;
  std::vector<std::uint16_t> bits(patterns);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  std::vector<Partial<RowSums>> sums(patterns);
  const Rows rows{reinterpret_cast<const std::byte*>(bits.data()), dtype, patterns, 1};
  forward_rows(VocabShard(rows, {0, 1, 1}), {}, false, sums);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const double expected = reference::decode16(format_of(dtype), bits[i]);
    const float actual = sums[i].value.max;
    if (std::isnan(expected) || expected == infinity) {
      ASSERT_TRUE(std::isnan(actual)) << "pattern " << i;
    } else {
      ASSERT_EQ(actual, expected) << "pattern " << i;
    }
  }
}

TEST_P(Storage, EveryBf16PatternWidensExactly) { expect_every_pattern_widens_exactly(DType::bf16); }
TEST_P(Storage, EveryFp16PatternWidensExactly) { expect_every_pattern_widens_exactly(DType::fp16); }

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// The backward of row t with A = B = 0 writes D, rounded to the storage type.
std::vector<std::uint16_t> narrowed(DType dtype, const std::vector<float>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  std::vector<std::uint16_t> bits(values.size(), 0);
  std::vector<RowGradient> rows;
  for (const float value : values) {
    rows.push_back({RowGradient::Kind::formula, 0, 0, 0, 0, static_cast<double>(value)});
  }
  const MutableRows in_place{reinterpret_cast<std::byte*>(bits.data()), dtype, n, 1};
  const Rows logits{in_place.data, dtype, n, 1};
  backward_rows(VocabShard(logits, {0, 1, 1}), {}, rows, {},
                MutableVocabShard(in_place, {0, 1, 1}));
  return bits;
}

void expect_rounded_to_nearest_even(DType dtype, const std::vector<float>& values) {
  const std::vector<std::uint16_t> actual = narrowed(dtype, values);
  const reference::Format format = format_of(dtype);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double written = reference::decode16(format, actual[i]);
    if (std::isnan(values[i])) {
      ASSERT_TRUE(std::isnan(written)) << values[i];
    } else {
      ASSERT_EQ(written, reference::round_to(format, static_cast<double>(values[i])))
          << std::hexfloat << values[i];
    }
  }
}

/// Around every value of the type: itself, half-way to the next, and one fp32 step beside that.
std::vector<float> values_around_every_pattern(DType dtype) {
  std::vector<float> values;
  for (std::uint32_t i = 0; i < 1U << 16; ++i) {
    const auto pattern = static_cast<std::uint16_t>(i);
    const double value = reference::decode16(format_of(dtype), pattern);
    values.push_back(static_cast<float>(value));
    if (!std::isfinite(value)) continue;
    const double step = 2 * reference::half_ulp(format_of(dtype), value);
    const auto half_way = static_cast<float>(value + std::copysign(step / 2, value));
    values.push_back(half_way);
    values.push_back(std::nextafter(half_way, 0.0F));
    values.push_back(std::nextafter(half_way, 2 * half_way));
  }
  return values;
}

std::vector<float> random_floats() {
  std::mt19937 random(20260916);
  std::vector<float> values;
  for (int i = 0; i < 200000; ++i) values.push_back(float_of(random()));
  return values;
}

TEST_P(Storage, Bf16RoundsToNearestEven) {
  expect_rounded_to_nearest_even(DType::bf16, values_around_every_pattern(DType::bf16));
  expect_rounded_to_nearest_even(DType::bf16, random_floats());
}

TEST_P(Storage, Fp16RoundsToNearestEven) {
  expect_rounded_to_nearest_even(DType::fp16, values_around_every_pattern(DType::fp16));
  expect_rounded_to_nearest_even(DType::fp16, random_floats());
}

TEST_P(Storage, NanWithOnlyLowBitsStaysNan) {
  const std::vector<float> nans{float_of(0x7F800001), float_of(0xFF800001), float_of(0x7FFFFFFF)};
  expect_rounded_to_nearest_even(DType::bf16, nans);
  expect_rounded_to_nearest_even(DType::fp16, nans);
}

// Largest finite values: bf16 (2 - 2^-7) 2^127, fp16 65504; half a step above is infinity.
TEST_P(Storage, OverflowGoesToInfinity) {
  EXPECT_EQ(narrowed(DType::bf16, {0x1.FEp127F, 0x1.FF0000p127F, 0x1.FEFFFEp127F}),
            (std::vector<std::uint16_t>{0x7F7F, 0x7F80, 0x7F7F}));
  EXPECT_EQ(narrowed(DType::fp16, {65504.0F, 65520.0F, 65519.996F, -1e30F}),
            (std::vector<std::uint16_t>{0x7BFF, 0x7C00, 0x7BFF, 0xFC00}));
}

}  // namespace
}  // namespace vparity::cpu
