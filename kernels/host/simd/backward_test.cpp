// The gradient of a row against the reference, element by element, and against the rules of
// semantics 3.
#include <algorithm>
#include <numeric>
#include <optional>

#include "host/simd/logits_patterns_test_support.h"
#include "host/simd/row_kernels_test_support.h"
#include "reference/row_statistics.h"

namespace vparity::cpu {
namespace {

class Backward : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(Backward);

/// One row's gradient problem: id column 0 with g_0 and g_L, one more id with g_1, and g_H.
struct Problem {
  reference::Parameters parameters;
  std::vector<std::int64_t> ids;
  reference::Upstream upstream;
};

/// A, B and D from the statistics that this kernel's own forward gives, as a caller would.
RowGradient coefficients(const Problem& problem, StoredRows& logits) {
  const reference::Parameters& p = problem.parameters;
  const RowSums sums = forward(logits, transform_of(p))[0];
  const double L = std::log(sums.s);
  const double H = L - sums.u / sums.s;
  const double lse = static_cast<double>(sums.max) / p.temperature + L;
  const auto& g = problem.upstream;
  const double g_k = std::accumulate(g.logprob.begin(), g.logprob.end(), 0.0);
  return {RowGradient::Kind::formula,
          sums.max,
          static_cast<float>(sums.s - 1),
          -g_k - g.entropy * H + g.loss * (1 + 2 * p.z_loss * lse),
          -g.entropy,
          -p.label_smoothing * g.loss / sums.n};
}

std::vector<OneHot> one_hots(const Problem& problem) {
  const double loss_weight = (1 - problem.parameters.label_smoothing) * problem.upstream.loss;
  std::vector<OneHot> targets{{0, problem.ids[0], problem.upstream.logprob[0] - loss_weight}};
  if (problem.ids[1] == problem.ids[0]) {
    targets[0].weight += problem.upstream.logprob[1];
  } else {
    targets.push_back({0, problem.ids[1], problem.upstream.logprob[1]});
  }
  return targets;
}

void expect_gradient_within_bounds(StoredRows& logits, const Problem& problem, DType grad_dtype) {
  StoredRows gradient(grad_dtype, logits.shape());
  const RowGradient row = coefficients(problem, logits);
  backward_rows(logits.shard(), transform_of(problem.parameters), std::span(&row, 1),
                one_hots(problem), gradient.mutable_shard());

  const std::vector<float> x = logits.row(0);
  const auto statistics = reference::row_statistics(x, problem.ids, problem.parameters);
  const auto expected_row =
      reference::row_gradient(statistics, problem.upstream, problem.parameters);
  const reference::Format format = format_of(grad_dtype);
  for (std::int64_t v = 0; v < logits.shape().columns; ++v) {
    const auto expected = reference::gradient(expected_row, v, x[static_cast<std::size_t>(v)]);
    const double actual = static_cast<double>(gradient.get(0, v));
    const double rounding = reference::half_ulp(format, expected.value);
    if (std::isinf(rounding)) continue;  // beyond the output type
    ASSERT_NEAR(actual, expected.value, expected.bound == 0 ? 0 : rounding + expected.bound)
        << "column " << v << ", logit " << x[static_cast<std::size_t>(v)];
  }
}

void expect_patterns_within_bounds(std::size_t columns, const Problem& problem) {
  for_every_pattern(columns, [&](StoredRows& logits) {
    expect_gradient_within_bounds(logits, problem, logits.dtype());
    if (logits.dtype() != DType::fp32) expect_gradient_within_bounds(logits, problem, DType::fp32);
  });
}

Problem with_targets_at_both_ends(std::size_t columns, const reference::Parameters& parameters) {
  const auto last = static_cast<std::int64_t>(columns) - 1;
  return {parameters, {last, 0}, {{0.75, -1.25}, 0.3, 1.5}};
}

// Options are fp32 values (semantics 1).
constexpr double eps = 0.1F;
constexpr double lambda = 1e-4F;

TEST_P(Backward, EdgeSizesAreWithinBounds) {
  for (const std::size_t columns : small_sizes()) {
    expect_patterns_within_bounds(columns, with_targets_at_both_ends(columns, {}));
  }
}

TEST_P(Backward, EveryOptionIsWithinBounds) {
  for (const std::size_t columns : {9U, 1025U}) {
    for (const double tau : {1.0, double{0.7F}, 50.0}) {
      for (const std::optional<double> softcap : {std::optional<double>{}, {30.0}}) {
        expect_patterns_within_bounds(
            columns, with_targets_at_both_ends(columns, {tau, softcap, eps, lambda}));
      }
    }
  }
}

TEST_P(Backward, RealVocabularyIsWithinBounds) {
  constexpr std::size_t columns = 151936;
  StoredRows logits = one_row(DType::bf16, from_normal(columns, 2, 0));
  const Problem problem = with_targets_at_both_ends(columns, {});
  expect_gradient_within_bounds(logits, problem, DType::bf16);
  expect_gradient_within_bounds(logits, problem, DType::fp32);
}

// p of the label is 1 - 3e-11, which fp32 rounds to 1: its gradient is p - 1 all the same.
TEST_P(Backward, ConfidentTargetKeepsItsGradient) {
  StoredRows logits = one_row(DType::fp32, {25, 0, 0, 0});
  expect_gradient_within_bounds(logits, {{}, {0, 1}, {{0, 0}, 0, 1}}, DType::fp32);
  const RowGradient row{RowGradient::Kind::formula, 25, 0, 1, 0, 0};
  StoredRows gradient(DType::fp32, logits.shape());
  const OneHot target{0, 0, -1};
  // With a saved s - 1 of 0 instead of 4e-11, p is 1 and the gradient exactly 0, not a rounding
  // error.
  backward_rows(logits.shard(), {}, std::span(&row, 1), std::span(&target, 1),
                gradient.mutable_shard());
  EXPECT_EQ(gradient.get(0, 0), 0.0F);
}

// Two equal logits, target 0, loss gradient 1: p - [v = 0] = -1/2, 1/2; divided by tau = 2.
TEST_P(Backward, TwoColumnsByHand) {
  for (const DType dtype : all_dtypes) {
    StoredRows logits = one_row(dtype, {1, 1});
    const RowGradient row{RowGradient::Kind::formula, 1, 1, 1, 0, 0};
    const OneHot target{0, 0, -1};
    backward_rows(logits.shard(), {2.0F}, std::span(&row, 1), std::span(&target, 1),
                  logits.mutable_shard());
    EXPECT_NEAR(logits.get(0, 0), -0.25F, 1e-7);
    EXPECT_NEAR(logits.get(0, 1), 0.25F, 1e-7);
  }
}

// Equal logits over a power of two of columns: p = 1 / s has no rounding at all.
TEST_P(Backward, FlatRowGivesPowersOfTwoExactly) {
  StoredRows logits = one_row(DType::fp32, {3, 3, 3, 3, 3, 3, 3, 3, 3});
  StoredRows gradient(DType::fp32, logits.shape());
  const RowGradient row{RowGradient::Kind::formula, 3, 65535, 1, 0, 0};
  backward_rows(logits.shard(), {}, std::span(&row, 1), {}, gradient.mutable_shard());
  for (std::int64_t v = 0; v < 9; ++v) EXPECT_EQ(gradient.get(0, v), 0x1p-16F);
}

// A = 1 and all else 0 make the gradient e^x: within 4 ulp beside 2^-28 |x| (semantics 7), 1
// exactly at 0, and 0 below what the gradient's bound allows for, 2^-125.
TEST_P(Backward, ProbabilityIsWithinTheExponentialsBound) {
  std::vector<double> x{0, -0.0, -1e-30, -87, -87.4, -88, -89, -103, -104, -1e5, -3.4e38};
  for (double v = -1e-8; v > -87.3; v *= 1.0003) x.push_back(v);
  StoredRows logits = one_row(DType::fp32, x);
  StoredRows gradient(DType::fp32, logits.shape());
  const RowGradient row{RowGradient::Kind::formula, 0, 0, 1, 0, 0};
  backward_rows(logits.shard(), {}, std::span(&row, 1), {}, gradient.mutable_shard());
  EXPECT_EQ(gradient.get(0, 0), 1.0F);
  EXPECT_EQ(gradient.get(0, 1), 1.0F);
  for (std::int64_t v = 0; v < logits.shape().columns; ++v) {
    const double exact = std::exp(static_cast<double>(logits.get(0, v)));
    const double ulp = 2 * reference::half_ulp(reference::Format::fp32, exact);
    const double of_argument = exact * 0x1p-28 * std::abs(static_cast<double>(logits.get(0, v)));
    ASSERT_NEAR(static_cast<double>(gradient.get(0, v)), exact,
                4 * ulp + (exact > 0 ? of_argument : 0) + 0x1p-126)
        << "x " << logits.get(0, v);
  }
}

/// Any row of the formula kind.
RowGradient some_formula(double d = 0) {
  return {RowGradient::Kind::formula, 1.0F, 2.0F, 0.5, -0.25, d};
}

// Rule 4: exactly the one-hot part over tau; with a softcap, whose slope at -inf is 0, exactly 0.
TEST_P(Backward, MaskedColumnGetsItsOneHotPartOnly) {
  const RowGradient row = some_formula(-0.125);
  for (const std::int64_t column : {0, 5, 8}) {
    for (const float softcap : {0.0F, 30.0F}) {
      StoredRows logits = one_row(DType::fp32, std::vector<double>(9, -infinity));
      const OneHot target{0, column, 3};
      backward_rows(logits.shard(), {2.0F, softcap}, std::span(&row, 1), std::span(&target, 1),
                    logits.mutable_shard());
      for (std::int64_t v = 0; v < 9; ++v) {
        EXPECT_EQ(logits.get(0, v), v == column && softcap == 0 ? 1.5F : 0.0F);
      }
    }
  }
}

// p = 0 makes the first term 0, however large A is.
TEST_P(Backward, VanishedProbabilityLeavesTheSmoothingTerm) {
  for (const double a : {0.5, 1e37, HUGE_VAL}) {
    StoredRows logits = one_row(DType::fp32, {-1e30, -200, -3.4e38});
    RowGradient row = some_formula(-0.125);
    row.a = a;
    backward_rows(logits.shard(), {}, std::span(&row, 1), {}, logits.mutable_shard());
    for (std::int64_t v = 0; v < 3; ++v) EXPECT_EQ(logits.get(0, v), -0.125F);
  }
}

// A = 6e38 is beyond fp32, p A of these columns is not.
TEST_P(Backward, CoefficientsBeyondTheRangeOfFp32) {
  StoredRows logits = one_row(DType::fp32, {0, 1, 2, 3});
  expect_gradient_within_bounds(logits, {{}, {1, 3}, {{-3e38, 0}, 0, 3e38}}, DType::fp32);
}

// Upstreams, lambda and tau at the ends of fp32's range, where A is between 1e-44 and 1e150.
TEST_P(Backward, EveryMagnitudeIsWithinBounds) {
  StoredRows logits = one_row(DType::fp32, {0, 1, 2, 3, -90});
  for (const double upstream : {double{1e-44F}, double{1e-30F}, 1.0, double{3e38F}}) {
    for (const double tau : {double{1e-30F}, 1.0, double{1e38F}}) {
      for (const double z_loss : {0.0, double{1e-30F}, double{3e38F}}) {
        const Problem problem{
            {tau, std::nullopt, eps, z_loss}, {0, 3}, {{0, upstream}, 0, upstream}};
        expect_gradient_within_bounds(logits, problem, DType::fp32);
      }
    }
  }
}

// A one-hot part far smaller than A is not lost beside it where p is 0.
TEST_P(Backward, TargetOfVanishedProbabilityKeepsItsOwnPart) {
  StoredRows logits = one_row(DType::fp32, {-1e4});
  const RowGradient row{RowGradient::Kind::formula, 1.0F, 2.0F, 1, 0, 0};
  const OneHot target{0, 0, 1e-20};
  backward_rows(logits.shard(), {}, std::span(&row, 1), std::span(&target, 1),
                logits.mutable_shard());
  EXPECT_EQ(logits.get(0, 0), 1e-20F);
}

/// Of three rows.
const std::vector<OneHot> some_targets{{0, 0, -1}, {1, 4, 0.5}, {2, 8, 2}, {2, 3, -1}};

TEST_P(Backward, ZeroAndNanRowsArePlain) {
  for (const DType dtype : all_dtypes) {
    for (const std::int64_t columns : {9, 1029}) {
      StoredRows logits = random_rows(dtype, {.rows = 3, .columns = columns, .padding = 3});
      logits.set(0, 1, nan);
      logits.set(1, 2, -infinity);
      std::vector<RowGradient> rows(3, some_formula());
      rows[0].kind = RowGradient::Kind::zero;
      rows[1].kind = RowGradient::Kind::nan;
      backward_rows(logits.shard(), {}, rows, some_targets, logits.mutable_shard());
      const std::vector<std::byte> zeros(size_of(dtype) * static_cast<std::size_t>(columns + 3));
      EXPECT_EQ(logits.bytes(0, 0, columns + 3), zeros);
      for (const float g : logits.row(1)) EXPECT_TRUE(std::isnan(g));
      for (const float g : logits.row(2)) EXPECT_TRUE(std::isfinite(g));
    }
  }
}

TEST_P(Backward, EmptyShardNeedsNoMemory) {
  const std::vector<RowGradient> rows(3, some_formula());
  const VocabShard logits({nullptr, DType::fp32, 3, 16}, {});
  backward_rows(logits, {}, rows, {}, MutableVocabShard({nullptr, DType::fp32, 3, 16}, {}));
}

TEST_P(Backward, PaddingIsPlusZeroAndGapsStayUntouched) {
  for (const DType dtype : all_dtypes) {
    const StoredRows::Shape shape{.rows = 3, .columns = 9, .padding = 4, .gap = 5, .offset = 3};
    StoredRows logits = random_rows(dtype, shape);
    StoredRows gradient(dtype, shape);
    const std::vector<RowGradient> rows(3, some_formula());
    backward_rows(logits.shard(), {}, rows, some_targets, gradient.mutable_shard());
    const std::vector<std::byte> zeros(4 * size_of(dtype));
    const std::vector<std::byte> untouched(5 * size_of(dtype), std::byte{0x5A});
    for (std::int64_t t = 0; t < 3; ++t) {
      EXPECT_EQ(gradient.bytes(t, 9, 13), zeros);
      EXPECT_EQ(gradient.bytes(t, 13, 18), untouched);
    }
    EXPECT_EQ(
        std::vector<std::byte>(gradient.all_bytes().begin(), gradient.all_bytes().begin() + 3),
        std::vector<std::byte>(3, std::byte{0x5A}));
  }
}

/// The gradient's valid columns, row after row.
std::vector<std::byte> gradient_bytes(StoredRows& logits, StoredRows& gradient,
                                      const Transform& transform) {
  const std::vector<RowGradient> rows(3, some_formula(-0.01));
  backward_rows(logits.shard(), transform, rows, some_targets, gradient.mutable_shard());
  std::vector<std::byte> all;
  for (std::int64_t t = 0; t < 3; ++t) {
    const auto row = gradient.bytes(t, 0, gradient.shape().columns);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

TEST_P(Backward, PlaceStrideAndAlignmentDoNotChangeBits) {
  for (const DType dtype : all_dtypes) {
    for (const Transform transform : {Transform{}, Transform{0.7F}, Transform{1.0F, 30.0F}}) {
      for (const std::int64_t columns : {9, 1023, 1025, 2051}) {
        StoredRows packed = random_rows(dtype, {.rows = 3, .columns = columns});
        StoredRows gradient(dtype, packed.shape());
        const auto expected = gradient_bytes(packed, gradient, transform);
        for (const std::size_t offset : {1U, 2U, 3U, 62U}) {
          StoredRows moved = random_rows(
              dtype, {.rows = 3, .columns = columns, .padding = 3, .gap = 5, .offset = offset});
          EXPECT_EQ(gradient_bytes(moved, moved, transform), expected) << "in place";
        }
      }
    }
  }
}

// From 4 MiB on a gradient is streamed past the cache; never in place.
TEST_P(Backward, LargeGradientHasTheBitsOfOneInPlace) {
  for (const DType dtype : all_dtypes) {
    StoredRows logits = random_rows(
        dtype, {.rows = 3, .columns = 1400012 / static_cast<std::int64_t>(size_of(dtype))});
    StoredRows in_place = logits;
    const auto expected = gradient_bytes(in_place, in_place, {});
    for (const std::size_t offset : {0U, 1U, 4U, 62U}) {
      StoredRows gradient(
          dtype, {.rows = 3, .columns = logits.shape().columns, .gap = 5, .offset = offset});
      EXPECT_EQ(gradient_bytes(logits, gradient, {}), expected) << offset;
    }
  }
}

// Rows shorter than the way to the next aligned address.
TEST_P(Backward, StreamedRowsOfFewColumnsKeepToTheirPlace) {
  constexpr std::int64_t many = 1 << 17;
  StoredRows logits = random_rows(DType::fp32, {.rows = many, .columns = 9});
  StoredRows gradient(DType::fp32, {.rows = many, .columns = 9, .gap = 3, .offset = 4});
  StoredRows in_place = logits;
  const std::vector<RowGradient> rows(many, some_formula());
  backward_rows(logits.shard(), {}, rows, {}, gradient.mutable_shard());
  backward_rows(in_place.shard(), {}, rows, {}, in_place.mutable_shard());
  const std::vector<std::byte> untouched(3 * sizeof(float), std::byte{0x5A});
  for (std::int64_t t = 0; t < many; ++t) {
    ASSERT_EQ(gradient.bytes(t, 0, 9), in_place.bytes(t, 0, 9)) << t;
    ASSERT_EQ(gradient.bytes(t, 9, 12), untouched) << t;
  }
}

// The gradient of a column is a function of its logit alone, wherever it lies.
TEST_P(Backward, EqualLogitsGetEqualBitsAtEveryColumn) {
  for (const DType dtype : all_dtypes) {
    for (const Transform transform : {Transform{}, Transform{0.7F, 30.0F}}) {
      StoredRows logits = one_row(dtype, std::vector<double>(1043, 0.37));
      const RowGradient row = some_formula(-0.01);
      backward_rows(logits.shard(), transform, std::span(&row, 1), {}, logits.mutable_shard());
      for (const float g : logits.row(0)) ASSERT_EQ(g, logits.get(0, 0));
    }
  }
}

TEST_P(Backward, TargetsInTheTailAndAtBlockEdgesAreAllWritten) {
  constexpr std::int64_t columns = 2051;
  StoredRows logits = one_row(DType::fp32, std::vector<double>(columns, 0.0));
  const RowGradient row{RowGradient::Kind::formula, 0, 0, 0, 0, 0};
  std::vector<OneHot> targets;
  for (const std::int64_t v : {2050L, 0L, 1023L, 1024L, 2047L, 2048L}) {
    targets.push_back({0, v, static_cast<double>(v + 1)});
  }
  backward_rows(logits.shard(), {}, std::span(&row, 1), targets, logits.mutable_shard());
  for (std::int64_t v = 0; v < columns; ++v) {
    const bool is_target =
        std::ranges::any_of(targets, [v](const OneHot& target) { return target.column == v; });
    EXPECT_EQ(logits.get(0, v), is_target ? static_cast<float>(v + 1) : 0.0F);
  }
}

}  // namespace
}  // namespace vparity::cpu
