#include "row/exchange_records.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <vector>

namespace vparity {
namespace {

std::size_t bytes_of(std::int64_t rows, int id_columns, bool with_a) {
  return SumRecords<std::byte>{nullptr, rows, id_columns, with_a}.bytes();
}

TEST(SumRecords, TakeTwentyFourBytesPerRowFourPerFurtherIdAndTwelveForSmoothing) {
  EXPECT_EQ(bytes_of(7, 1, false), 7 * 24);
  EXPECT_EQ(bytes_of(2, 3, false), 2 * (24 + 2 * 4));
  EXPECT_EQ(bytes_of(2, 3, true), 2 * (24 + 2 * 4 + 12));
  EXPECT_EQ(bytes_of(0, 1, true), 0);
}

TEST(SumRecords, AreAMultipleOfEightBytesSoThatTheNextRanksAreAligned) {
  EXPECT_EQ(bytes_of(1, 2, false), 32);  // 28
  EXPECT_EQ(bytes_of(3, 1, true), 112);  // 108
}

constexpr int ranks = 2, id_columns = 2;
constexpr std::int64_t rows = 3;

/// Different in each element.
RowSums sums_of(int rank, std::int64_t row) {
  const auto base = static_cast<float>(100 * rank + 10 * row);
  return {base + 1, base + 2.0, base + 3.0, base + 4.0, static_cast<std::int32_t>(base) + 5};
}
float target_of(int rank, std::int64_t row, int k) {
  return static_cast<float>(1000 + 100 * rank + 10 * row + k);
}

TEST(SumRecords, EveryElementOfEveryRankIsReadBackAsItWasWritten) {
  const std::size_t bytes = bytes_of(rows, id_columns, true);
  std::vector<double> memory(ranks * bytes / sizeof(double));
  auto* const base = reinterpret_cast<std::byte*>(memory.data());
  for (int rank = 0; rank < ranks; ++rank) {
    const SumRecords<std::byte> own{base + static_cast<std::size_t>(rank) * bytes, rows, id_columns,
                                    true};
    for (std::int64_t row = 0; row < rows; ++row) {
      own.put(row, sums_of(rank, row));
      for (int k = 0; k < id_columns; ++k) own.target(row, k) = target_of(rank, row, k);
    }
  }
  const SumRecords<const std::byte> all{base, rows, id_columns, true};
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const RowSums expected = sums_of(rank, row), actual = all.of_rank(rank).sums(row);
      EXPECT_EQ(actual.max, expected.max);
      EXPECT_EQ(actual.s, expected.s);
      EXPECT_EQ(actual.u, expected.u);
      EXPECT_EQ(actual.a, expected.a);
      EXPECT_EQ(actual.n, expected.n);
      for (int k = 0; k < id_columns; ++k)
        EXPECT_EQ(all.of_rank(rank).target(row, k), target_of(rank, row, k));
    }
  }
}

TEST(SumRecords, WithoutSmoothingNeitherANorNTravels) {
  std::array<double, 3> memory{};
  const SumRecords<std::byte> records{reinterpret_cast<std::byte*>(memory.data()), 1, 1, false};
  records.target(0, 0) = 7;
  records.put(0, {1, 2, 3, 4, 5});
  EXPECT_EQ(records.sums(0).s, 2);
  EXPECT_EQ(records.sums(0).a, 0);
  EXPECT_EQ(records.sums(0).n, 0);
  EXPECT_EQ(records.target(0, 0), 7);
}

TEST(MaximumRecords, EveryElementOfEveryRankIsReadBackAsItWasWritten) {
  const std::size_t bytes = MaximumRecords<std::byte>{nullptr, rows, id_columns}.bytes();
  EXPECT_EQ(bytes, 40);  // 36
  std::vector<double> memory(ranks * bytes / sizeof(double));
  auto* const base = reinterpret_cast<std::byte*>(memory.data());
  const MaximumRecords<std::byte> all{base, rows, id_columns};
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::int64_t row = 0; row < rows; ++row) {
      all.of_rank(rank).key(row) = static_cast<reproducible::OrderKey>(10 * rank + row - 5);
      for (int k = 0; k < id_columns; ++k)
        all.of_rank(rank).target(row, k) = target_of(rank, row, k);
    }
  }
  for (int rank = 0; rank < ranks; ++rank) {
    for (std::int64_t row = 0; row < rows; ++row) {
      EXPECT_EQ(all.of_rank(rank).key(row), 10 * rank + row - 5);
      for (int k = 0; k < id_columns; ++k)
        EXPECT_EQ(all.of_rank(rank).target(row, k), target_of(rank, row, k));
    }
  }
}

}  // namespace
}  // namespace vparity
