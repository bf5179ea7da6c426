#include "device/simt/launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "device/kernels/language.cuh"

namespace vparity::simt {
namespace {

/// The numbers of the threads of one block in the order in which they began.
std::vector<unsigned> order_of(const LaunchOptions& options, unsigned threads = 8) {
  std::vector<unsigned> order(threads);
  unsigned begun = 0;
  launch(
      1, threads, [&] { order[atomicAdd(&begun, 1U)] = threadIdx.x; }, options);
  return order;
}

TEST(Launch, RunsEachThreadOfEachBlockOnce) {
  const dim3 grid(2, 3, 4), block(5, 6, 7);
  std::vector<int> calls(24 * 210);
  launch(grid, block, [&] {
    EXPECT_EQ(gridDim.x * 100 + gridDim.y * 10 + gridDim.z, 234U);
    EXPECT_EQ(blockDim.x * 100 + blockDim.y * 10 + blockDim.z, 567U);
    const unsigned in_grid = blockIdx.x + 2 * (blockIdx.y + 3 * blockIdx.z);
    const unsigned in_block = threadIdx.x + 5 * (threadIdx.y + 6 * threadIdx.z);
    ++calls[in_grid * 210 + in_block];
  });
  EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), 24 * 210);
}

TEST(Launch, AWaitingThreadFindsItsOwnIndicesAgain) {
  int right = 0;
  launch({3, 1}, {33, 2}, [&] {
    const unsigned x = threadIdx.x, y = threadIdx.y, block = blockIdx.x;
    __syncthreads();
    if (threadIdx.x == x && threadIdx.y == y && blockIdx.x == block) atomicAdd(&right, 1);
  });
  EXPECT_EQ(right, 3 * 66);
}

TEST(Launch, OrdersThreadsAsAsked) {
  std::vector<unsigned> up(8);
  std::iota(up.begin(), up.end(), 0U);
  EXPECT_EQ(order_of({Order{Order::ascending}}), up);
  EXPECT_EQ(order_of({Order{Order::descending}}), std::vector<unsigned>(up.rbegin(), up.rend()));
  const auto shuffled = order_of({Order{Order::shuffled, 7}});
  EXPECT_NE(shuffled, up);
  EXPECT_TRUE(std::is_permutation(shuffled.begin(), shuffled.end(), up.begin()));
  EXPECT_EQ(order_of({Order{Order::shuffled, 7}}), shuffled);
  EXPECT_NE(order_of({Order{Order::shuffled, 8}}), shuffled);
}

TEST(Launch, ByDefaultTakesEachOrderInTurnOnEveryCpuThread) {
  const auto six_launches = [](std::vector<std::vector<unsigned>>& orders) {
    for (int i = 0; i < 6; ++i) {
      orders.push_back(order_of({}));
      order_of({Order{Order::ascending}});  // takes no turn
    }
  };
  std::vector<std::vector<unsigned>> one, other;
  std::thread([&] { six_launches(one); }).join();
  std::thread([&] { six_launches(other); }).join();
  EXPECT_EQ(one, other);
  EXPECT_EQ(one[0], one[3]);
  EXPECT_EQ(one[0][0], 0U);
  EXPECT_EQ(one[1][0], 7U);
  EXPECT_NE(one[2], one[5]);
}

TEST(Launch, ShufflesEveryBlockAnew) {
  std::vector<unsigned> order(32);
  unsigned begun = 0;
  launch(2, 16, [&] { order[atomicAdd(&begun, 1U)] = threadIdx.x; }, {Order{Order::shuffled, 1}});
  EXPECT_FALSE(std::equal(order.begin(), order.begin() + 16, order.begin() + 16));
}

TEST(Launch, PassesOnAnExceptionOfAKernel) {
  int begun = 0;
  const auto body = [&] {
    atomicAdd(&begun, 1);
    if (threadIdx.x == 3) throw std::out_of_range("column 7");
    __syncthreads();
  };
  try {
    launch(5, 8, body, {Order{Order::ascending}});
    FAIL();
  } catch (const std::out_of_range& error) {
    EXPECT_STREQ(error.what(), "column 7");
  }
  EXPECT_EQ(begun, 4);  // and no other block
}

TEST(Launch, RefusesGridsAndBlocksThatNoDeviceAccepts) {
  const auto nothing = [] {};
  EXPECT_THROW(launch(0, 32, nothing), std::invalid_argument);
  EXPECT_THROW(launch({1, 65536}, 32, nothing), std::invalid_argument);
  EXPECT_THROW(launch(1, 0, nothing), std::invalid_argument);
  EXPECT_THROW(launch(1, 1025, nothing), std::invalid_argument);
  EXPECT_THROW(launch(1, {1, 1, 65}, nothing), std::invalid_argument);
  EXPECT_NO_THROW(launch(1, 1024, nothing));
}

TEST(Launch, IsRefusedInsideAKernelAndCudaFunctionsOutsideOfOne) {
  EXPECT_THROW(launch(1, 1, [] { launch(1, 1, [] {}); }), std::logic_error);
  EXPECT_THROW(__syncthreads(), std::logic_error);
}

TEST(Launch, WorksOnSeveralCpuThreadsAtOnce) {
  std::vector<int> totals(4);
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 4; ++rank) {
    ranks.emplace_back([&totals, rank] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        launch(2, 64, [&totals, rank] {
          const int sum = __reduce_add_sync(0xFFFFFFFF, rank);
          __syncthreads();
          if (threadIdx.x == 0) atomicAdd(&totals[static_cast<std::size_t>(rank)], sum);
        });
      }
    });
  }
  for (std::thread& thread : ranks) thread.join();
  EXPECT_EQ(totals, (std::vector<int>{0, 1280, 2560, 3840}));
}

}  // namespace
}  // namespace vparity::simt
