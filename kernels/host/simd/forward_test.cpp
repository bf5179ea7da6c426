// The sums of a row against the reference's statistics and against values worked out by hand.
#include <algorithm>

#include "host/simd/logits_patterns_test_support.h"
#include "host/simd/row_kernels_test_support.h"
#include "reference/row_statistics.h"

namespace vparity::cpu {
namespace {

class Forward : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(Forward);

/// log-probability of column 0, entropy and smoothed loss that follow from the sums, within the
/// reference's bounds (semantics 7).
void expect_statistics_within_bounds(StoredRows& logits, const reference::Parameters& parameters) {
  const Transform transform = transform_of(parameters);
  const std::vector<float> x = logits.row(0);
  const auto expected = reference::row_statistics(x, std::vector<std::int64_t>{0}, parameters);
  const RowSums sums = forward(logits, transform)[0];
  const double L = std::log(sums.s);
  const double target = double{apply(transform, x[0])};
  const double logprob = (target - static_cast<double>(sums.max)) / parameters.temperature - L;
  const double smoothing = L - sums.a / sums.n;
  const double eps = parameters.label_smoothing;

  EXPECT_EQ(sums.n, expected.valid_columns);
  EXPECT_NEAR(L, expected.log_sum, 2 * 0x1p-24 * expected.e_log_sum);
  EXPECT_NEAR(L - sums.u / sums.s, expected.entropy.value, expected.entropy.bound);
  if (std::isfinite(target)) {
    EXPECT_NEAR(logprob, expected.logprob[0].value, expected.logprob[0].bound);
    EXPECT_NEAR(-(1 - eps) * logprob + eps * smoothing, expected.loss.value, expected.loss.bound);
  }
}

void expect_patterns_within_bounds(std::size_t columns, const reference::Parameters& parameters) {
  for_every_pattern(
      columns, [&](StoredRows& logits) { expect_statistics_within_bounds(logits, parameters); });
}

constexpr double eps = 0.1F;  // options are fp32 values (semantics 1)

TEST_P(Forward, EdgeSizesAreWithinBounds) {
  for (const std::size_t columns : small_sizes()) {
    expect_patterns_within_bounds(columns, {.label_smoothing = eps});
  }
}

TEST_P(Forward, TemperatureAndSoftcapAreWithinBounds) {
  for (const std::size_t columns : {9, 1025}) {
    for (const double tau : {1.0, double{0.7F}, double{1e-3F}, 50.0}) {
      expect_patterns_within_bounds(columns, {.temperature = tau, .label_smoothing = eps});
      expect_patterns_within_bounds(columns,
                                    {.temperature = tau, .softcap = 30, .label_smoothing = eps});
    }
  }
}

TEST_P(Forward, RealVocabularyIsWithinBounds) {
  expect_patterns_within_bounds(151936, {.label_smoothing = eps});
}

TEST_P(Forward, LargestVocabularyIsWithinBounds) {
  constexpr std::size_t columns = 1U << 22;
  for (const char* name : {"all_but_the_maximum_constant", "ascending", "one_peak"}) {
    const auto pattern = std::ranges::find(patterns(), name, &Pattern::name);
    SCOPED_TRACE(name);
    StoredRows logits = one_row(DType::fp32, pattern->make(columns));
    expect_statistics_within_bounds(logits, {.label_smoothing = eps});
  }
}

// V equal logits: s = V, u = 0, a = 0 exactly.
TEST_P(Forward, ConstantRowIsExact) {
  for (const std::size_t columns : small_sizes()) {
    StoredRows logits = one_row(DType::fp32, std::vector<double>(columns, -3.7));
    const RowSums sums = forward(logits)[0];
    EXPECT_EQ(sums.max, -3.7F);
    EXPECT_EQ(sums.s, static_cast<double>(columns));
    EXPECT_EQ(sums.u, 0);
    EXPECT_EQ(sums.a, 0);
    EXPECT_EQ(sums.n, static_cast<std::int32_t>(columns));
  }
}

// z = 0, -ln 2: s = 3/2, u = -ln 2 / 2, a = -ln 2.
TEST_P(Forward, TwoColumnsByHand) {
  StoredRows logits = one_row(DType::fp32, {100.0F + 0.69314718F, 100});
  const double z = 100.0 - static_cast<double>(logits.get(0, 0));
  const RowSums sums = forward(logits)[0];
  EXPECT_NEAR(sums.s, 1 + std::exp(z), 1e-7);
  EXPECT_NEAR(sums.u, std::exp(z) * z, 1e-7);
  EXPECT_EQ(sums.a, z);
}

void expect_identity(const RowSums& sums) {
  EXPECT_EQ(sums.max, -HUGE_VALF);
  EXPECT_EQ(sums.s, 0);
  EXPECT_EQ(sums.u, 0);
  EXPECT_EQ(sums.a, 0);
  EXPECT_EQ(sums.n, 0);
}

TEST_P(Forward, EmptyShardIsTheIdentity) {
  StoredRows logits(DType::bf16, {.rows = 3, .padding = 128});
  for (const RowSums& sums : forward(logits)) expect_identity(sums);
}

TEST_P(Forward, EmptyShardNeedsNoMemory) {
  std::vector<Partial<RowSums>> sums(3);
  forward_rows(VocabShard({nullptr, DType::bf16, 3, 16}, {}), {}, true, sums);
  for (const auto& partial : sums) expect_identity(partial.value);
}

TEST_P(Forward, MaskedShardIsTheIdentity) {
  for (const std::size_t columns : {1U, 9U, 5000U}) {
    for (const Transform transform : {Transform{}, Transform{0.5F, 30.0F}}) {
      StoredRows logits = one_row(DType::fp16, std::vector<double>(columns, -infinity));
      expect_identity(forward(logits, transform)[0]);
    }
  }
}

// A block of -inf on either side of the only finite columns changes nothing.
TEST_P(Forward, MaskedColumnsCountAsDeleted) {
  for (const std::size_t first : {0U, 3U, 1024U, 4096U, 9000U}) {
    std::vector<double> row(10000, -infinity);
    row[first] = 1;
    row[first + 1] = 1;
    StoredRows logits = one_row(DType::fp32, row);
    const RowSums sums = forward(logits)[0];
    EXPECT_EQ(sums.s, 2);
    EXPECT_EQ(sums.u, 0);
    EXPECT_EQ(sums.a, 0);
    EXPECT_EQ(sums.n, 2);
  }
}

// A mask written as a large finite number is a logit like any other; its e^z is 0 exactly.
TEST_P(Forward, VerySmallLogitsAddNothing) {
  StoredRows logits = one_row(DType::fp32, {5, -3.4e38, 4.9e-324, -200, 5});
  const RowSums sums = forward(logits, {}, false)[0];
  EXPECT_NEAR(sums.s, 2 + std::exp(-5.0), 1e-6);
  EXPECT_NEAR(sums.u, -5 * std::exp(-5.0), 1e-7);
}

// Cap 1: f(-100) = -1 is the maximum of nothing but itself. A padding lane that became f(0) = 0 or
// -1 would join the sum.
TEST_P(Forward, SoftcapLetsNoPaddingLaneIn) {
  const Transform transform{1.0F, 1.0F};
  for (const double x : {-100.0, 0.0}) {
    StoredRows logits = one_row(DType::fp32, std::vector<double>(5, x));
    const RowSums sums = forward(logits, transform)[0];
    EXPECT_EQ(sums.max, x == 0 ? 0.0F : -1.0F);
    EXPECT_EQ(sums.s, 5);
    EXPECT_EQ(sums.n, 5);
  }
}

TEST_P(Forward, SoftcapKeepsMaskedColumnsOut) {
  StoredRows logits = one_row(DType::bf16, {-infinity, 2, -infinity, 2, -infinity});
  const RowSums sums = forward(logits, {1.0F, 1.0F})[0];
  EXPECT_EQ(sums.s, 2);
  EXPECT_EQ(sums.n, 2);
}

TEST_P(Forward, NanOrPlusInfinityAnywherePoisonsItsRowOnly) {
  constexpr std::int64_t columns = 1025 + 37;
  for (const DType dtype : all_dtypes) {
    for (const double poison : {nan, infinity}) {
      StoredRows clean(dtype, {.rows = 3, .columns = columns});
      for (std::int64_t t = 0; t < 3; ++t) clean.set_row(t, from_normal(columns, 2, 0));
      const RowSums neighbour = forward(clean)[0];
      for (std::int64_t v = 0; v < columns; v += v < 40 || v > 1000 ? 1 : 97) {
        StoredRows logits = clean;
        logits.set(1, v, poison);
        for (const Transform transform : {Transform{}, Transform{1.0F, 30.0F}}) {
          ASSERT_TRUE(std::isnan(forward(logits, transform)[1].max)) << "column " << v;
        }
        const auto sums = forward(logits);
        for (const std::size_t t : {0U, 2U}) {
          ASSERT_EQ(sums[t].max, neighbour.max);
          ASSERT_EQ(sums[t].s, neighbour.s);
          ASSERT_EQ(sums[t].u, neighbour.u);
        }
      }
    }
  }
}

TEST_P(Forward, NanAmongMaskedColumnsStillPoisons) {
  StoredRows logits = one_row(DType::fp32, {-infinity, nan, -infinity});
  EXPECT_TRUE(std::isnan(forward(logits)[0].max));
}

void expect_same_bits(const RowSums& actual, const RowSums& expected) {
  EXPECT_EQ(actual.max, expected.max);
  EXPECT_EQ(actual.s, expected.s);
  EXPECT_EQ(actual.u, expected.u);
  EXPECT_EQ(actual.a, expected.a);
  EXPECT_EQ(actual.n, expected.n);
}

TEST_P(Forward, ARowDependsOnItsValuesAndWidthOnly) {
  for (const DType dtype : all_dtypes) {
    for (const std::int64_t columns : {1, 9, 1023, 1025, 5003}) {
      StoredRows packed = random_rows(dtype, {.rows = 4, .columns = columns});
      const auto expected = forward(packed);
      for (const std::size_t offset : {1U, 2U, 3U, 5U, 62U}) {
        StoredRows moved = random_rows(
            dtype, {.rows = 4, .columns = columns, .padding = 3, .gap = 5, .offset = offset});
        const auto actual = forward(moved);
        for (std::size_t t = 0; t < 4; ++t) expect_same_bits(actual[t], expected[t]);
      }
      StoredRows alone(dtype, {.columns = columns});
      for (std::int64_t v = 0; v < columns; ++v)
        alone.set(0, v, static_cast<double>(packed.get(2, v)));
      expect_same_bits(forward(alone)[0], expected[2]);
    }
  }
}

TEST_P(Forward, ARowInPiecesHasTheBitsOfTheWholeRow) {
  for (const DType dtype : all_dtypes) {
    for (const Transform transform : {Transform{}, Transform{0.7F, 30.0F}}) {
      constexpr std::int64_t columns = 5003;
      StoredRows whole = random_rows(dtype, {.columns = columns});
      const RowSums expected = forward(whole, transform)[0];
      const std::byte* const row = whole.shard().rows().row(0);
      for (const std::vector<std::size_t>& cuts : {std::vector<std::size_t>{5003},
                                                   {2502, 2501},
                                                   {1024, 0, 3979},
                                                   {1, 1, 5000, 1},
                                                   {1000, 10, 14, 3979}}) {
        std::vector<std::vector<std::byte>> stored;  // each in memory of its own
        std::vector<RowPiece> pieces;
        const std::byte* from = row;
        for (const std::size_t count : cuts) {
          stored.emplace_back(from, from + count * size_of(dtype));
          pieces.push_back({stored.back().data(), count});
          from += count * size_of(dtype);
        }
        expect_same_bits(forward_row(pieces, dtype, transform, true), expected);
      }
    }
  }
}

// Differences beyond fp32's range: z = 0, -6e38; their mean is within it.
TEST_P(Forward, CentredSumDoesNotOverflow) {
  StoredRows logits = one_row(DType::fp32, {3e38, -3e38});
  const double z = static_cast<double>(logits.get(0, 1)) - static_cast<double>(logits.get(0, 0));
  EXPECT_EQ(forward(logits)[0].a, z);
}

TEST_P(Forward, SmallestTemperatureLeavesTheMaximum) {
  StoredRows logits = one_row(DType::fp32, {1, 2, 2, -1});
  const RowSums sums = forward(logits, {1e-45F})[0];
  EXPECT_EQ(sums.s, 2);
  EXPECT_EQ(sums.u, 0);
}

}  // namespace
}  // namespace vparity::cpu
