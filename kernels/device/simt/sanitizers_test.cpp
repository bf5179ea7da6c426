// Errors in kernels that the sanitizers find. This file has tests in their presets only.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "device/kernels/language.cuh"
#include "device/simt/launch.h"

namespace vparity::simt {
namespace {

#if defined(VPARITY_SIMT_ASAN)

TEST(AddressSanitizer, SeesTheEndOfSharedMemory) {
  const auto overrun = [] {
    VPARITY_SHARED(float, values, 33);
    values[threadIdx.x + 2] = 0;
  };
  launch(1, 31, overrun);
  EXPECT_DEATH(launch(1, 32, overrun), "sanitizers_test.*index 33 out of bounds");
}

TEST(AddressSanitizer, SeesTheEndOfSharedMemoryThroughAPointer) {
  const auto overrun = [] {
    VPARITY_SHARED(float, values, 33);
    atomicExch(values + threadIdx.x + 2, 0.0F);
  };
  launch(1, 31, overrun);
  EXPECT_DEATH(launch(1, 32, overrun), "heap-buffer-overflow");
}

TEST(AddressSanitizer, SeesTheEndOfGlobalMemory) {
  const auto values = std::make_unique<int[]>(32);
  EXPECT_DEATH(launch(1, 33, [&] { values[threadIdx.x] = 0; }), "heap-buffer-overflow");
}

TEST(AddressSanitizer, SeesTheEndOfLocalMemoryAfterManySwitches) {
  EXPECT_DEATH(launch(1, 64,
                      [] {
                        int local[4] = {};
                        for (int i = 0; i < 9; ++i) __syncthreads();
                        atomicAdd(static_cast<int*>(local) + threadIdx.x % 5, 1);
                      }),
               "stack-buffer-overflow");
}

#endif

#if defined(VPARITY_SIMT_TSAN)

/// ThreadSanitizer does not watch a forked process, so the tests start it again.
class ThreadSanitizer : public testing::Test {
 protected:
  ThreadSanitizer() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

/// A race ends the process that a death test runs in, with the report on standard error.
void run_to_the_end(dim3 grid, dim3 block, const std::function<void()>& body) {
  launch(grid, block, body);
  std::exit(0);
}

#define EXPECT_RACE(grid, block, ...) \
  EXPECT_EXIT(run_to_the_end(grid, block, __VA_ARGS__), testing::ExitedWithCode(66), "data race")
#define EXPECT_NO_RACE(grid, block, ...) \
  EXPECT_EXIT(run_to_the_end(grid, block, __VA_ARGS__), testing::ExitedWithCode(0), "")

/// Threads 0 and 1 meet in `meet` between a write and a read of one number.
template <class Meet>
void write_meet_read(std::vector<int>& global, const Meet& meet) {
  VPARITY_SHARED(int, shared, 1);
  if (threadIdx.x == 0) global[0] = shared[0] = 1;
  meet();
  if (threadIdx.x == 1) global[1] = global[0] + shared[0];
}

TEST_F(ThreadSanitizer, SeesWhatNoBarrierOrders) {
  std::vector<int> global(2);
  EXPECT_RACE(1, 64, [&] { write_meet_read(global, [] {}); });
  EXPECT_NO_RACE(1, 64, [&] { write_meet_read(global, [] { __syncthreads(); }); });
  EXPECT_NO_RACE(1, 64, [&] { write_meet_read(global, [] { __syncthreads_or(0); }); });
  EXPECT_NO_RACE(1, 64, [&] { write_meet_read(global, [] { __syncwarp(); }); });
}

TEST_F(ThreadSanitizer, KnowsThatAShuffleOrdersNoMemory) {
  std::vector<int> global(2);
  EXPECT_RACE(1, 64, [&] { write_meet_read(global, [] { __shfl_sync(0xFFFFFFFF, 1, 0); }); });
  EXPECT_RACE(1, 64, [&] { write_meet_read(global, [] { __any_sync(0xFFFFFFFF, 1); }); });
}

TEST_F(ThreadSanitizer, KnowsThatAWarpBarrierOrdersItsMaskOnly) {
  std::vector<int> global(64);
  EXPECT_RACE(1, 64, [&] {
    if (threadIdx.x == 0) global[0] = 1;
    __syncwarp();
    if (threadIdx.x == 33) global[1] = global[0];
  });
  EXPECT_RACE(1, 32, [&] {
    if (threadIdx.x == 0) global[0] = 1;
    __syncwarp(threadIdx.x < 16 ? 0xFFFF : 0xFFFF0000);
    if (threadIdx.x == 16) global[1] = global[0];
  });
}

TEST_F(ThreadSanitizer, SeesABarrierThatIsMissingInALoop) {
  std::vector<int> sums(64);
  const auto body = [&](bool second_barrier) {
    VPARITY_SHARED(int, value, 1);
    for (int i = 0; i < 4; ++i) {
      if (threadIdx.x == 0) value[0] = i;
      __syncthreads();
      sums[threadIdx.x] += value[0];
      if (second_barrier) __syncthreads();
    }
  };
  EXPECT_RACE(1, 64, [&] { body(false); });
  EXPECT_NO_RACE(1, 64, [&] { body(true); });
}

TEST_F(ThreadSanitizer, SeesARaceBetweenBlocks) {
  std::vector<int> global(3);
  EXPECT_RACE(2, 32, [&] {
    __syncthreads();
    if (threadIdx.x == 0) global[0] += 1;
  });
  EXPECT_NO_RACE(3, 32, [&] {
    VPARITY_SHARED(int, shared, 32);
    shared[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) global[blockIdx.x] = shared[31];
  });
}

TEST_F(ThreadSanitizer, TreatsAtomicsAsOrderedByFencesOnly) {
  std::vector<int> global(4);
  const auto last_block_reads = [&](bool fence) {
    VPARITY_SHARED(int, ticket, 1);
    global[blockIdx.x] = 1;
    if (fence) __threadfence();
    ticket[0] = atomicAdd(&global[2], 1);
    if (fence) __threadfence();
    if (ticket[0] == 1) global[3] = global[0] + global[1];
  };
  EXPECT_RACE(2, 1, [&] { last_block_reads(false); });
  EXPECT_NO_RACE(2, 1, [&] { last_block_reads(true); });
}

TEST_F(ThreadSanitizer, OrdersALaunchAfterWhatTheCallerDidAndBeforeWhatItDoes) {
  std::vector<int> global(64);
  for (int repeat = 1; repeat < 6; ++repeat) {
    for (int& value : global) ++value;
    launch(2, 32, [&] { ++global[blockIdx.x * 32 + threadIdx.x]; });
    for (const int value : global) ASSERT_EQ(value, 2 * repeat);
  }
}

#endif

}  // namespace
}  // namespace vparity::simt
