// The sums of blocks against sums in double, where a row may begin and end anywhere.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "device/kernels/kernels.h"
#include "device/simulated/simulated_device.h"

namespace vparity::cuda {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<float> normal_row(std::int64_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 4);
  std::vector<float> row;
  for (std::int64_t i = 0; i < columns; ++i) row.push_back(normal(random));
  return row;
}

RowSums exact_sums(const std::vector<float>& row, std::int64_t begin, std::int64_t end) {
  RowSums sums{-infinity, 0, 0, 0, 0};
  for (std::int64_t i = begin; i < end; ++i)
    sums.max = std::max(sums.max, row[static_cast<std::size_t>(i)]);
  for (std::int64_t i = begin; i < end; ++i) {
    const float x = row[static_cast<std::size_t>(i)];
    if (x == -infinity) continue;
    const double z = static_cast<double>(x) - sums.max;
    sums.s += std::exp(z);
    sums.u += std::exp(z) * z;
    sums.a += z;
    ++sums.n;
  }
  return sums;
}

class BlockSums : public ::testing::Test {
 protected:
  /// The row begins `offset` elements behind a 256-byte boundary and is surrounded by NaN.
  std::vector<Partial<RowSums>> sum(const std::vector<float>& row, std::int64_t offset) {
    const auto columns = static_cast<std::int64_t>(row.size());
    std::byte* const memory =
        device_->allocate((row.size() + static_cast<std::size_t>(offset) + 8) * sizeof(float));
    std::byte* const at = memory + static_cast<std::size_t>(offset) * sizeof(float);
    device_->copy_in(at, reinterpret_cast<const std::byte*>(row.data()),
                     row.size() * sizeof(float));
    std::vector<Partial<RowSums>> sums(static_cast<std::size_t>(blocks_of(columns)));
    kernels_of(*device_).sum_blocks(
        {{at, DType::fp32, 1, columns, columns}, {}, true, sums.data()});
    device_->release(memory);
    return sums;
  }

  void expect_exact(const std::vector<float>& row, std::int64_t offset) {
    const auto sums = sum(row, offset);
    const auto columns = static_cast<std::int64_t>(row.size());
    for (std::size_t b = 0; b < sums.size(); ++b) {
      const std::int64_t begin = static_cast<std::int64_t>(b) * block_columns;
      const RowSums expected = exact_sums(row, begin, std::min(begin + block_columns, columns));
      const RowSums& actual = sums[b].value;
      constexpr double tolerance = 2e-6;  // some 2^-19: fp32 terms, added in batches
      EXPECT_EQ(actual.max, expected.max);
      EXPECT_NEAR(actual.s, expected.s, tolerance * expected.s);
      EXPECT_NEAR(actual.u, expected.u, tolerance * (std::abs(expected.u) + expected.s));
      EXPECT_NEAR(actual.a, expected.a, tolerance * std::abs(expected.a));
      EXPECT_EQ(actual.n, expected.n);
    }
  }

  std::unique_ptr<Device> device_ = make_simulated_device();
};

TEST_F(BlockSums, OfRowsThatBeginAndEndAnywhere) {
  for (const std::int64_t columns :
       {1, 2, 3, 4, 5, 7, 8, 31, 1023, 1024, 1025, 4095, 4096, 4099, 8200}) {
    for (std::int64_t offset = 0; offset < 5; ++offset) {
      SCOPED_TRACE(::testing::Message() << columns << " columns from element " << offset);
      expect_exact(normal_row(columns, static_cast<unsigned>(columns)), offset);
    }
  }
}

TEST_F(BlockSums, OfRowsOfSeveralBlocks) {
  for (const std::int64_t columns : {block_columns, block_columns + 1, 3 * block_columns - 1})
    expect_exact(normal_row(columns, 3), 1);
}

TEST_F(BlockSums, WhereEveryBatchHasANewMaximum) {
  std::vector<float> row;
  for (int i = 0; i < 20000; ++i) row.push_back(static_cast<float>(i) * 1e-3F);
  expect_exact(row, 0);
}

TEST_F(BlockSums, LeaveMaskedColumnsOut) {
  std::vector<float> row = normal_row(5000, 7);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (i % 3 != 1) row[i] = -infinity;
  expect_exact(row, 2);
}

TEST_F(BlockSums, OfNoValidColumnAreTheIdentity) {
  for (const std::int64_t columns : {0, 1, 6000}) {
    const auto sums = sum(std::vector<float>(static_cast<std::size_t>(columns), -infinity), 1);
    ASSERT_EQ(sums.size(), 1U);
    EXPECT_EQ(sums[0].value.max, -infinity);
    EXPECT_EQ(sums[0].value.s, 0);
    EXPECT_EQ(sums[0].value.u, 0);
    EXPECT_EQ(sums[0].value.n, 0);
  }
}

TEST_F(BlockSums, OfANanOrAnInfinityAnywhereAreNan) {
  for (const float bad : {infinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (const std::size_t place : {0U, 1U, 300U, 4098U, 4999U}) {
      std::vector<float> row = normal_row(5000, 9);
      row[place] = bad;
      const RowSums sums = sum(row, 3)[0].value;
      EXPECT_TRUE(std::isnan(sums.max)) << bad << " at " << place;
      EXPECT_TRUE(std::isnan(sums.s)) << bad << " at " << place;
    }
  }
}

TEST_F(BlockSums, OfTheLowestNumberCount) {
  const auto sums = sum(std::vector<float>(9, std::numeric_limits<float>::lowest()), 0);
  EXPECT_EQ(sums[0].value.max, std::numeric_limits<float>::lowest());
  EXPECT_EQ(sums[0].value.s, 9);
}

}  // namespace
}  // namespace vparity::cuda
