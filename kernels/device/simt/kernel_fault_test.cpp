// Undefined behaviour of kernels is found, and the message says where.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "device/kernels/language.cuh"
#include "device/simt/launch.h"

namespace vparity::simt {
namespace {

constexpr unsigned kAll = 0xFFFFFFFF;

std::string at(int line) { return __FILE__ ":" + std::to_string(line); }

/// "file:line: block (0, 0, 0), thread (t, 0, 0): what"
std::string message(int line, int thread, const std::string& what) {
  return at(line) + ": block (0, 0, 0), thread (" + std::to_string(thread) + ", 0, 0): " + what;
}

std::string fault_of(unsigned threads, const std::function<void()>& body,
                     Order order = {Order::ascending}) {
  try {
    launch(1, threads, body, {order});
  } catch (const KernelFault& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(KernelFault, ABarrierAtTwoPlaces) {
  const int first = __LINE__ + 3;
  const auto body = [] {
    if (threadIdx.x < 3) {
      __syncthreads();
    } else {
      __syncthreads();
    }
  };
  EXPECT_EQ(
      fault_of(4, body),
      message(first + 2, 3,
              "__syncthreads: divergent barrier: thread (0, 0, 0) waits in __syncthreads at " +
                  at(first)));
  EXPECT_EQ(
      fault_of(4, body, {Order::descending}),
      message(first, 2,
              "__syncthreads: divergent barrier: thread (3, 0, 0) waits in __syncthreads at " +
                  at(first + 2)));
}

TEST(KernelFault, TwoBarriersOnOneLine) {
  const int line = __LINE__ + 1;
  const auto body = [] { threadIdx.x == 0 ? __syncthreads() : __syncthreads(); };
  EXPECT_EQ(
      fault_of(2, body),
      message(line, 1,
              "__syncthreads: divergent barrier: thread (0, 0, 0) waits in __syncthreads at " +
                  at(line)));
}

TEST(KernelFault, TwoKindsOfBarrier) {
  const int line = __LINE__ + 3;
  const auto body = [] {
    if (threadIdx.x == 0) {
      __syncthreads();
    } else {
      __syncthreads_or(1);
    }
  };
  EXPECT_EQ(fault_of(2, body), message(line + 2, 1,
                                       "__syncthreads_or: divergent barrier: thread (0, 0, 0) "
                                       "waits in __syncthreads at " +
                                           at(line)));
}

TEST(KernelFault, ABarrierThatAThreadHasLeft) {
  const int line = __LINE__ + 3;
  const auto body = [] {
    if (threadIdx.x == 2) return;
    __syncthreads();
  };
  for (const Order::Kind kind : {Order::ascending, Order::descending, Order::shuffled}) {
    EXPECT_EQ(fault_of(40, body, {kind, 3}),
              message(line, 0, "__syncthreads: divergent barrier: thread (2, 0, 0) has exited"));
  }
}

TEST(KernelFault, LanesThatNameDifferentMasks) {
  const int line = __LINE__ + 1;
  const auto body = [] { __shfl_sync(threadIdx.x == 0 ? 0x3 : 0x7, 1.0F, 0); };
  EXPECT_EQ(fault_of(3, body), message(line, 0,
                                       "__shfl_sync: mask 0x00000003, but lane 1 waits with mask "
                                       "0x00000007 in __shfl_sync at " +
                                           at(line)));
}

TEST(KernelFault, AMaskThatLeavesOutTheCaller) {
  const int line = __LINE__ + 1;
  const auto body = [] { __ballot_sync(0x1, 1); };
  EXPECT_EQ(fault_of(2, body),
            message(line, 1, "__ballot_sync: mask 0x00000001 does not name the calling lane, 1"));
}

TEST(KernelFault, AMaskThatNamesAnExitedLane) {
  const int line = __LINE__ + 2;
  const auto body = [] {
    if (threadIdx.x != 33) __syncwarp();
  };
  EXPECT_EQ(fault_of(64, body),
            message(line, 32, "__syncwarp: mask 0xffffffff names lane 1, which has exited"));
}

TEST(KernelFault, AMaskThatNamesALaneBeyondTheBlock) {
  const int line = __LINE__ + 1;
  const auto body = [] { __reduce_add_sync(kAll, 1); };
  EXPECT_EQ(
      fault_of(8, body),
      message(line, 0, "__reduce_add_sync: mask 0xffffffff names lane 8, which does not exist"));
}

TEST(KernelFault, DifferentCollectives) {
  const int line = __LINE__ + 3;
  const auto body = [] {
    if (threadIdx.x == 0) {
      __any_sync(0x3, 1);
    } else {
      __all_sync(0x3, 1);
    }
  };
  EXPECT_EQ(fault_of(2, body),
            message(line + 2, 1, "__all_sync: lane 0 waits in __any_sync at " + at(line)));
}

TEST(KernelFault, OneShuffleAtTwoPlaces) {
  const int line = __LINE__ + 3;
  const auto body = [] {
    if (threadIdx.x == 0) {
      __shfl_xor_sync(0x3, 1, 1);
    } else {
      __shfl_xor_sync(0x3, 1, 1);
    }
  };
  EXPECT_EQ(
      fault_of(2, body),
      message(line + 2, 1, "__shfl_xor_sync: lane 0 waits in __shfl_xor_sync at " + at(line)));
}

TEST(KernelFault, AShuffleThatReadsALaneOutsideTheMask) {
  const int line = __LINE__ + 2;
  const auto body = [] {
    if (threadIdx.x < 16) __shfl_down_sync(0xFFFF, 1.0, 8);
  };
  EXPECT_EQ(
      fault_of(32, body),
      message(line, 8, "__shfl_down_sync: reads lane 16, which mask 0x0000ffff does not name"));
}

TEST(KernelFault, AShuffleAndABarrierThatWaitForEachOther) {
  const int line = __LINE__ + 3;
  const auto body = [] {
    if (threadIdx.x == 0) {
      __syncthreads();
    } else {
      __shfl_sync(0x3, 1, 0);
    }
  };
  EXPECT_EQ(fault_of(2, body),
            message(line + 2, 1, "__shfl_sync: lane 0 waits in __syncthreads at " + at(line)));
}

TEST(KernelFault, ACircle) {
  const int line = __LINE__ + 2;
  const auto body = [] {  // 0 waits for 1, 1 for 2, 2 for 0
    __syncwarp(threadIdx.x == 0 ? 0x3 : threadIdx.x == 1 ? 0x6 : 0x5);
  };
  EXPECT_EQ(fault_of(3, body), message(line, 0, "__syncwarp: deadlock"));
}

TEST(KernelFault, AShuffleOfHalfWarps) {
  const int line = __LINE__ + 1;
  const auto body = [] { __shfl_up_sync(kAll, 1, 1, 16); };
  EXPECT_EQ(fault_of(32, body),
            message(line, 0, "__shfl_up_sync: width 16, but only 32 is supported"));
}

TEST(KernelFault, ATrap) {
  const int line = __LINE__ + 2;
  const auto body = [] {
    if (threadIdx.x == 5) __trap();
  };
  EXPECT_EQ(fault_of(32, body), message(line, 5, "__trap"));
}

TEST(KernelFault, SayWhichBlockAndThread) {
  const unsigned line = __LINE__ + 3;
  try {
    launch({2, 3}, {4, 2, 2}, [] {
      if (blockIdx.x == 1 && blockIdx.y == 2 && threadIdx.y == 1 && threadIdx.z == 1) __trap();
    });
    FAIL();
  } catch (const KernelFault& fault) {
    EXPECT_STREQ(fault.file(), __FILE__);
    EXPECT_EQ(fault.line(), line);
    EXPECT_EQ(to_string(fault.block()), "(1, 2, 0)");
    EXPECT_EQ(fault.thread().y, 1U);
    EXPECT_EQ(fault.thread().z, 1U);
  }
}

struct CountsItsLife {
  explicit CountsItsLife(int& in_alive) : alive(in_alive), others(atomicAdd(&alive, 1)) {}
  ~CountsItsLife() { atomicAdd(&alive, -1); }
  int& alive;
  int others;
};

TEST(KernelFault, UnwindEveryThreadAndLeaveTheNextLaunchAlone) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    int alive = 0, most = 0;
    EXPECT_NE(fault_of(64,
                       [&] {
                         const CountsItsLife counted(alive);
                         atomicMax(&most, counted.others + 1);
                         __syncwarp();
                         if (threadIdx.x == 63) return;
                         __syncthreads();
                       }),
              "no fault");
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(most, 64);
    std::vector<int> sums(64);
    launch(1, 64, [&] {
      __syncthreads();
      sums[threadIdx.x] = __reduce_add_sync(kAll, static_cast<int>(threadIdx.x));
    });
    EXPECT_EQ(sums[0], 496);
    EXPECT_EQ(sums[63], 496 + 32 * 32);
  }
}

TEST(KernelFault, UnwindThreadsThatCouldGoOnToo) {
  int alive = 0;
  const auto body = [&] {
    const CountsItsLife counted(alive);
    __syncwarp();
    if (threadIdx.x == 31) __trap();  // the last to arrive: no other has gone on yet
  };
  EXPECT_NE(fault_of(32, body), "no fault");
  EXPECT_EQ(alive, 0);
  int calls = 0;
  launch(1, 32, [&] { atomicAdd(&calls, 1); });
  EXPECT_EQ(calls, 32);
}

}  // namespace
}  // namespace vparity::simt
