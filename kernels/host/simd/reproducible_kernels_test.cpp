// The passes of mode `reproducible` against exact values that are computed in another way.
// same_bits_test.cpp tests that whole calls give the same bits.
#include "host/simd/reproducible_kernels.h"

#include <algorithm>

#include "host/simd/logits_patterns_test_support.h"
#include "host/simd/row_kernels_test_support.h"
#include "reproducible/elementary_functions.h"
#include "reproducible/exact_reductions.h"

namespace vparity::cpu {
namespace {

class Reproducible : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(Reproducible);

float maximum_of(StoredRows& logits) {
  std::vector<Partial<reproducible::OrderKey>> keys(1);
  row_maxima(logits.shard(), keys);
  return reproducible::value_of(keys[0].value);
}

TEST_P(Reproducible, TheMaximumIsFoundInAnyColumn) {
  for (const DType dtype : all_dtypes) {
    for (const std::size_t columns : {1U, 15U, 64U, 65U, 131U}) {
      for (std::size_t at = 0; at < columns; ++at) {
        for (const double largest : {3.0, 0.0, -1.5}) {
          std::vector<double> row(columns, -2);
          row[at] = largest;
          StoredRows logits = one_row(dtype, row);
          ASSERT_EQ(maximum_of(logits), static_cast<float>(largest)) << at << " of " << columns;
        }
      }
    }
  }
}

// Both signs of NaN: as integers one stands above all numbers, the other below.
TEST_P(Reproducible, AnyNanIsTheMaximum) {
  for (const DType dtype : all_dtypes) {
    for (const double poison : {nan, -nan}) {
      for (std::size_t at = 0; at < 70; ++at) {
        std::vector<double> row(70, at % 2 == 0 ? -infinity : 1e3);
        StoredRows logits = one_row(dtype, row);
        logits.set(0, static_cast<std::int64_t>(at), poison);
        ASSERT_TRUE(std::isnan(maximum_of(logits))) << at;
      }
    }
  }
}

/// All bits but the sign's are those of a NaN also in 16 bits.
TEST_P(Reproducible, ANanWithASignIsTheMaximum) {
  const std::uint32_t bits = 0xFFC00000U;
  std::vector<float> row(40, 1.0F);
  std::memcpy(&row[17], &bits, sizeof bits);
  std::vector<Partial<reproducible::OrderKey>> keys(1);
  const Rows rows{reinterpret_cast<const std::byte*>(row.data()), DType::fp32, 1, 40};
  row_maxima(VocabShard(rows, {0, 40, 40}), keys);
  EXPECT_EQ(keys[0].value, reproducible::nan_key);
  std::vector<std::uint16_t> half(40, 0x3F80);
  for (const auto& [dtype, pattern] : {std::pair{DType::bf16, 0xFFC0}, {DType::fp16, 0xFE00}}) {
    half[23] = static_cast<std::uint16_t>(pattern);
    const Rows narrow{reinterpret_cast<const std::byte*>(half.data()), dtype, 1, 40};
    row_maxima(VocabShard(narrow, {0, 40, 40}), keys);
    EXPECT_EQ(keys[0].value, reproducible::nan_key);
  }
}

TEST_P(Reproducible, NoValidColumnHasTheKeyOfMinusInfinity) {
  StoredRows masked = one_row(DType::fp16, std::vector<double>(100, -infinity));
  EXPECT_EQ(maximum_of(masked), -HUGE_VALF);
  std::vector<Partial<reproducible::OrderKey>> keys(2);
  row_maxima(VocabShard({nullptr, DType::bf16, 2, 16}, {}), keys);
  EXPECT_EQ(reproducible::value_of(keys[1].value), -HUGE_VALF);
}

/// v rounded to nearest even on the grid, in its units.
std::int64_t on_grid(float v) {
  return static_cast<std::int64_t>(std::nearbyint(static_cast<double>(v) * 0x1p40));
}

GridSums grid_sums(StoredRows& logits, float max, const Transform& transform) {
  std::vector<Partial<GridSums>> sums(1);
  row_sums(logits.shard(), transform, std::span(&max, 1), Rows{}, sums, {});
  return sums[0].value;
}

void expect_sums_of_single_terms(StoredRows& logits, const Transform& transform) {
  const float max = apply(transform, maximum_of(logits));
  GridSums expected{0, 0};
  for (const float x : logits.row(0)) {
    const float f = apply(transform, x);
    if (!(f > -HUGE_VALF)) continue;
    const float z = std::min(f - max, 0.0F) / transform.temperature;
    const float p = vparity::reproducible::exp(z);
    expected.s += on_grid(p);
    if (p > 0) expected.u += on_grid(p * z);
  }
  const GridSums actual = grid_sums(logits, max, transform);
  EXPECT_EQ(actual.s, expected.s);
  EXPECT_EQ(actual.u, expected.u);
}

// Every term by itself through the scalar definition, rounded in double: the order of 40001 terms,
// and where blocks and vectors end, must not show.
TEST_P(Reproducible, SumsAreThoseOfSingleTerms) {
  for (const std::size_t columns : {1U, 63U, 64U, 65U, 1000U, 40001U}) {
    for_every_pattern(columns, [&](StoredRows& logits) {
      for (const Transform& transform :
           {Transform{1, 0, true}, Transform{0.7F, 0, true}, Transform{1, 30, true}}) {
        expect_sums_of_single_terms(logits, transform);
      }
    });
  }
}

TEST_P(Reproducible, RowsWithoutAFiniteMaximumAreNotRead) {
  StoredRows logits = one_row(DType::fp32, {1, 2, 3});
  for (const float max : {-HUGE_VALF, std::nanf("")}) {
    EXPECT_EQ(grid_sums(logits, max, {1, 0, true}).s, 0);
  }
}

// Ties between two units of the grid go to the even one, for both steps' places.
TEST(GridSum, RoundsTiesToEven) {
  const auto rounded = [](float v) {
    reproducible::GridSum sum;
    sum.add(v);
    return sum.take_total();
  };
  for (const float unit : {0x1p-40F, 0x1p-39F, 0x1p-30F, 0x1p-21F, 0x1p-20F}) {
    for (const int halves : {0, 1, 2, 3, 5, 6, 7, 255, 1023}) {
      const float v = static_cast<float>(halves) * unit / 2;
      EXPECT_EQ(rounded(v), on_grid(v)) << v;
      EXPECT_EQ(rounded(-v), on_grid(-v)) << -v;
    }
  }
  EXPECT_EQ(rounded(1.0F), std::int64_t{1} << 40);
}

/// The bits that one row's gradient is written with.
template <class Bits>
std::vector<Bits> gradient_bits(DType dtype, double a, std::size_t columns) {
  StoredRows logits = one_row(dtype, std::vector<double>(columns, -1));
  StoredRows gradient(dtype, logits.shape());
  const RowGradient row{RowGradient::Kind::formula, -1, static_cast<float>(columns - 1), a, 0, 0};
  backward_rows(logits.shard(), {1, 0, true}, std::span(&row, 1), {}, gradient.mutable_shard());
  std::vector<Bits> bits(columns);
  std::memcpy(bits.data(), gradient.all_bytes().data(), columns * sizeof(Bits));
  return bits;
}

// More columns than vectors hold, so that whole vectors and the row's end are both written.
TEST_P(Reproducible, ThereIsOneNanAndOneZero) {
  constexpr std::size_t columns = 77;
  const auto all = [](const auto& bits, std::uint32_t expected) {
    return std::ranges::all_of(bits, [&](auto one) { return one == expected; });
  };
  for (const double a : {nan, -nan}) {
    EXPECT_TRUE(all(gradient_bits<std::uint32_t>(DType::fp32, a, columns), 0x7FC00000U));
    EXPECT_TRUE(all(gradient_bits<std::uint16_t>(DType::bf16, a, columns), 0x7FC0U));
    EXPECT_TRUE(all(gradient_bits<std::uint16_t>(DType::fp16, a, columns), 0x7E00U));
  }
  for (const double a : {-1e-44, -1e-300, -0.0}) {
    EXPECT_TRUE(all(gradient_bits<std::uint32_t>(DType::fp32, a / 1e3, columns), 0));
    EXPECT_TRUE(all(gradient_bits<std::uint16_t>(DType::bf16, a, columns), 0));
    EXPECT_TRUE(all(gradient_bits<std::uint16_t>(DType::fp16, a, columns), 0));
  }
  EXPECT_TRUE(all(gradient_bits<std::uint16_t>(DType::fp16, -1e-7, columns), 0));
}

}  // namespace
}  // namespace vparity::cpu
