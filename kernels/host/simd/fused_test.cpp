// A row's gradient from its kept exponentials: against its formula in double, and with the same
// bits whatever else the pass computes.
#include <cmath>
#include <cstring>

#include "host/simd/fused_kernels.h"
#include "host/simd/logits_patterns_test_support.h"
#include "host/simd/row_kernels_test_support.h"
#include "reference/row_statistics.h"

namespace vparity::cpu {
namespace {

class Fused : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(Fused);

constexpr double coefficient = -0.75;

/// The gradient of logprob alone: A p.
RowGradient gradient_of(const RowSums& sums, double a = coefficient, double b = 0) {
  return {RowGradient::Kind::formula, sums.max, static_cast<float>(sums.s - 1), a, b, 0};
}

/// The passes over some rows and their arguments, row by row.
class Passes {
 public:
  Passes(StoredRows& logits, const Transform& transform) : logits_(logits), transform_(transform) {
    kept_.resize(logits.shape().rows, logits.shape().columns);
  }

  /// Sums the rows and, if `gradient` is given, writes it from the kept exponentials.
  std::vector<Partial<RowSums>> sum(StoredRows* gradient = nullptr, bool streamed = false) {
    std::vector<Partial<RowSums>> sums(static_cast<std::size_t>(logits_.shape().rows));
    pass(sums, gradient, streamed);
    return sums;
  }
  void drain(StoredRows& gradient) { pass({}, &gradient, false); }

  std::vector<RowGradient> rows;
  std::vector<OneHot> one_hots;

 private:
  void pass(std::span<Partial<RowSums>> sums, StoredRows* gradient, bool streamed) {
    StoredRows none(logits_.dtype(), {.columns = logits_.shape().columns});
    StoredRows& to = gradient != nullptr ? *gradient : none;
    const std::span<const RowGradient> before(rows.data(), gradient != nullptr ? rows.size() : 0);
    const VocabShard shard = logits_.shard();
    const VocabShard next{{shard.rows().data, shard.rows().dtype,
                           static_cast<std::int64_t>(sums.size()), shard.rows().row_stride},
                          shard.columns()};
    forward_and_backward_rows(next, transform_, sums,
                              {shard, before, one_hots, to.mutable_shard(), streamed}, kept_);
  }

  StoredRows& logits_;
  Transform transform_;
  Exponentials kept_;
};

bool same_sums(const RowSums& a, const RowSums& b) {
  return a.max == b.max && a.s == b.s && a.u == b.u;
}

/// e^z by an exponential within 4 ulp, z rounded twice, and three roundings.
void expect_near_formula(StoredRows& logits, StoredRows& gradient, const RowSums& sums,
                         double tau) {
  for (std::int64_t v = 0; v < logits.shape().columns; ++v) {
    const double z = (double{logits.get(0, v)} - sums.max) / tau;
    const double expected = coefficient / tau * std::exp(z) / sums.s;
    const double relative = std::isinf(z) ? 0 : (12 + 4 * std::abs(z)) * 0x1p-24;
    const double bound = std::abs(expected) * relative + 0x1p-125 / tau +
                         reference::half_ulp(format_of(gradient.dtype()), expected);
    ASSERT_NEAR(gradient.get(0, v), expected, bound) << "column " << v;
  }
}

void check_row(StoredRows& logits, double tau, DType gradient_dtype) {
  const Transform transform{static_cast<float>(tau)};
  Passes passes(logits, transform);
  const RowSums sums = passes.sum()[0].value;
  ASSERT_TRUE(same_sums(sums, forward(logits, transform, false)[0]));
  passes.rows = {gradient_of(sums)};

  StoredRows::Shape shape = logits.shape();
  StoredRows first(gradient_dtype, shape);
  ASSERT_TRUE(same_sums(passes.sum(&first)[0].value, sums));
  expect_near_formula(logits, first, sums, tau);
  for (const std::size_t offset : {0, 1, 4, 60}) {
    shape.offset = offset;
    StoredRows again(gradient_dtype, shape);
    ASSERT_TRUE(same_sums(passes.sum(&again, true)[0].value, sums));
    ASSERT_EQ(again.bytes(0, 0, shape.columns), first.bytes(0, 0, shape.columns)) << offset;
  }
  StoredRows last(gradient_dtype, logits.shape());
  passes.drain(last);
  ASSERT_EQ(last.all_bytes(), first.all_bytes());
}

TEST_P(Fused, AGradientFollowsItsFormulaWithTheSameBitsInEveryPass) {
  for (const std::size_t columns : {1U, 9U, 65U, 1025U, 4500U}) {
    for (const double tau : {1.0, double{0.7F}}) {
      for_every_pattern(columns, [&](StoredRows& logits) {
        check_row(logits, tau, logits.dtype());
        if (logits.dtype() != DType::fp32) check_row(logits, tau, DType::fp32);
      });
    }
  }
}

// Rows of every kind, with padding, targets, and rows that need their logits again.
TEST_P(Fused, RowsThatNeedTheirLogitsAgainHaveTheBitsOfBackwardRows) {
  for (const DType dtype : all_dtypes) {
    StoredRows logits = random_rows(dtype, {.rows = 6, .columns = 2100, .padding = 3, .gap = 2});
    Passes passes(logits, {});
    const auto sums = passes.sum();
    const auto formula = [&](std::size_t t, double a, double b) {
      return gradient_of(sums[t].value, a, b);
    };
    passes.rows = {formula(0, 1, 0.5), formula(1, infinity, 0), formula(2, 1e-30, 0),
                   formula(3, 0, 0),   formula(4, 0, 0),        formula(5, 1, 0)};
    passes.rows[3].kind = RowGradient::Kind::zero;
    passes.rows[4].kind = RowGradient::Kind::nan;
    passes.one_hots = {{0, 2, -1}, {2, 2099, 1}, {5, 0, -1}, {5, 1500, 2}};
    StoredRows actual(dtype, logits.shape()), expected(dtype, logits.shape());
    passes.sum(&actual, true);
    backward_rows(logits.shard(), {}, passes.rows, passes.one_hots, expected.mutable_shard());
    for (std::int64_t row = 0; row < 5; ++row) {
      EXPECT_EQ(actual.bytes(row, 0, 2103), expected.bytes(row, 0, 2103)) << row;
    }
    for (const std::int64_t column : {0, 1500}) {  // targets
      EXPECT_EQ(actual.get(5, column), expected.get(5, column));
    }
    EXPECT_EQ(actual.bytes(5, 2100, 2103), expected.bytes(5, 2100, 2103));
  }
}

}  // namespace
}  // namespace vparity::cpu
