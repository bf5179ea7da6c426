#include "reference/global_results.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

namespace vparity::reference {
namespace {

using testing::IsNan;

constexpr double inf = std::numeric_limits<double>::infinity();

RowStatistics valid_row(const Bounded& loss, const Bounded& entropy = {}) {
  RowStatistics row;
  row.valid = true;
  row.loss = loss;
  row.entropy = entropy;
  return row;
}

GlobalAccumulator accumulated(const std::vector<RowStatistics>& rows) {
  GlobalAccumulator accumulator;
  for (const RowStatistics& row : rows) accumulator.add(row);
  return accumulator;
}

TEST(GlobalResults, NoRowsAreZeroNotNan) {
  const GlobalAccumulator nothing;
  EXPECT_EQ(nothing.valid_tokens(), 0);
  EXPECT_EQ(nothing.loss_sum().value, 0);
  EXPECT_EQ(nothing.loss_mean().value, 0);
  EXPECT_EQ(nothing.entropy_mean().value, 0);
}

TEST(GlobalResults, MeansDivideByTheGlobalCountNotPerRank) {
  GlobalAccumulator all = accumulated({valid_row({6, 0}, {3, 0})});
  all.combine(accumulated({valid_row({1, 0}), valid_row({2, 0}), valid_row({3, 0}, {1, 0})}));
  EXPECT_EQ(all.valid_tokens(), 4);
  EXPECT_EQ(all.loss_sum().value, 12);
  EXPECT_EQ(all.loss_mean().value, 3);
  EXPECT_EQ(all.entropy_mean().value, 1);
}

TEST(GlobalResults, IgnoredRowsAddNothing) {
  RowStatistics ignored = valid_row({7, 1}, {7, 1});
  ignored.valid = false;
  ignored.kind = RowKind::degenerate;
  const GlobalAccumulator all = accumulated({ignored, valid_row({2, 0})});
  EXPECT_EQ(all.valid_tokens(), 1);
  EXPECT_EQ(all.degenerate_rows(), 0);
  EXPECT_EQ(all.loss_mean().value, 2);
  EXPECT_EQ(all.entropy_mean().value, 0);
}

TEST(GlobalResults, DegenerateRowsAreCountedAndMakeTheSumNan) {
  RowStatistics degenerate = valid_row({NAN, 0}, {NAN, 0});
  degenerate.kind = RowKind::degenerate;
  const GlobalAccumulator all = accumulated({valid_row({2, 1}), degenerate, valid_row({2, 1})});
  EXPECT_EQ(all.degenerate_rows(), 1);
  EXPECT_THAT(all.loss_sum().value, IsNan());
  EXPECT_EQ(all.loss_sum().bound, 0);
}

TEST(GlobalResults, InfiniteLossesStayInfiniteInAnyGrouping) {
  GlobalAccumulator all = accumulated({valid_row({1, 0}), valid_row({inf, 0})});
  all.combine(accumulated({valid_row({inf, 0}), valid_row({1, 0})}));
  EXPECT_EQ(all.loss_sum().value, inf);
  EXPECT_EQ(all.loss_mean().value, inf);
  EXPECT_EQ(all.loss_mean().bound, 0);
  all.combine(accumulated({valid_row({-inf, 0})}));
  EXPECT_THAT(all.loss_mean().value, IsNan());
}

TEST(GlobalResults, LossBeyondFp32IsAnInfinityInTheMeanToo) {
  EXPECT_EQ(accumulated({valid_row({4e38, 1e31}), valid_row({0, 0})}).loss_mean().value, inf);
}

TEST(GlobalResults, CompensationKeepsWhatPlainSummationLoses) {
  std::vector<RowStatistics> rows{valid_row({1e16, 0})};
  rows.resize(1001, valid_row({1, 0}));
  EXPECT_EQ(accumulated(rows).loss_sum().value, 1e16 + 1000);
  GlobalAccumulator halves = accumulated({rows.begin(), rows.begin() + 500});
  halves.combine(accumulated({rows.begin() + 500, rows.end()}));
  EXPECT_EQ(halves.loss_sum().value, 1e16 + 1000);
}

TEST(GlobalResults, BoundIsTheRowsBoundsAndTheSummation) {
  const GlobalAccumulator all = accumulated({valid_row({-3, 0.5}), valid_row({5, 0.25})});
  EXPECT_EQ(all.loss_sum().bound, 0.75 + 0x1p-50 * 8);
  EXPECT_EQ(all.loss_mean().bound, (0.75 + 0x1p-50 * 8) / 2);
}

}  // namespace
}  // namespace vparity::reference
