// Against closed forms; against the reference they run in `vparity selftest`.
#include "harness/provider/plain/cuda/plain_cuda_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace vparity::harness {
namespace {

constexpr std::int64_t columns = 40001;  // two blocks, the second with a tail
constexpr std::int64_t rows = 9;         // more blocks than a simulated grid has
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// From the second element on, so that the first address is odd.
struct Rows {
  explicit Rows(float value) : memory(static_cast<std::size_t>(rows * columns + 1), value) {}
  float& operator()(std::int64_t row, std::int64_t column) {
    return memory[static_cast<std::size_t>(1 + row * columns + column)];
  }
  cuda::Logits logits() const {
    return {reinterpret_cast<const std::byte*>(memory.data() + 1), DType::fp32, rows, columns,
            columns};
  }
  std::vector<float> memory;
};

std::vector<Partial<RowSums>> block_sums(const Rows& x, float temperature) {
  std::vector<Partial<RowSums>> blocks(static_cast<std::size_t>(2 * rows));
  PlainCudaKernels({0, columns, columns})
      .sum_blocks({x.logits(), {.temperature = temperature}, true, blocks.data()});
  return blocks;
}

TEST(PlainCudaSums, OfEqualLogitsCountThem) {
  const auto blocks = block_sums(Rows(2), 0.5F);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto count =
        static_cast<double>(i % 2 == 0 ? cuda::block_columns : columns - cuda::block_columns);
    const RowSums& sums = blocks[i].value;
    EXPECT_EQ(sums.max, 2);
    EXPECT_EQ(sums.s, count);
    EXPECT_EQ(sums.u, 0);
    EXPECT_EQ(sums.a, 0);
    EXPECT_EQ(sums.n, count);
  }
}

TEST(PlainCudaSums, AreAboutTheLargestLogitWhereverItStands) {
  for (const std::int64_t place : {std::int64_t{0}, std::int64_t{3}, cuda::block_columns - 1}) {
    Rows x(minus_infinity);
    x(4, 17) = 1;
    x(4, place) = 1 + std::log(4.0F);
    const RowSums sums = block_sums(x, 2)[8].value;  // e^z of the other: 4^(-1/2)
    EXPECT_EQ(sums.max, x(4, place));
    EXPECT_NEAR(sums.s, 1.5, 1e-7);
    EXPECT_NEAR(sums.u, 0.5 * std::log(0.5), 1e-7);
    EXPECT_NEAR(sums.a, std::log(0.5), 1e-7);
    EXPECT_EQ(sums.n, 2);
  }
}

TEST(PlainCudaSums, OfNoValidLogitAreTheIdentityAndOfNoNumberNan) {
  Rows x(minus_infinity);
  x(1, 5) = std::numeric_limits<float>::quiet_NaN();
  x(2, columns - 1) = -minus_infinity;
  const auto blocks = block_sums(x, 1);
  EXPECT_EQ(blocks[0].value.max, minus_infinity);
  EXPECT_EQ(blocks[0].value.s, 0);
  EXPECT_TRUE(std::isnan(blocks[2].value.max));
  EXPECT_EQ(blocks[4].value.max, minus_infinity);
  EXPECT_TRUE(std::isnan(blocks[5].value.max));
}

}  // namespace
}  // namespace vparity::harness
