// Results of barriers, shuffles, votes and reductions, worked out by hand.
#include "device/simt/collectives.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "device/kernels/language.cuh"
#include "device/simt/launch.h"

namespace vparity::simt {
namespace {

constexpr unsigned kWhole = 0xFFFFFFFF;

/// For each order of the threads.
const std::vector<Order> kOrders{{Order::ascending},
                                 {Order::descending},
                                 {Order::shuffled, 1},
                                 {Order::shuffled, 2},
                                 {Order::shuffled, 3}};

/// The results of `body(lane)` in each thread of one warp, the same in every order.
template <class Body>
auto by_lane(const Body& body) {
  std::vector<decltype(body(0))> first;
  for (const Order order : kOrders) {
    std::vector<decltype(body(0))> results(32);
    launch(1, 32, [&] { results[threadIdx.x] = body(static_cast<int>(threadIdx.x)); }, {order});
    if (first.empty()) first = results;
    EXPECT_EQ(results, first);
  }
  return first;
}

/// expected(lane) for 32 lanes.
template <class Expected>
auto lanes(const Expected& expected) {
  std::vector<decltype(expected(0))> values;
  for (int lane = 0; lane < 32; ++lane) values.push_back(expected(lane));
  return values;
}

TEST(Shuffles, ReadALaneByItsNumberModulo32) {
  EXPECT_EQ(by_lane([](int lane) { return __shfl_sync(kWhole, 10 * lane, 7); }),
            lanes([](int) { return 70; }));
  EXPECT_EQ(by_lane([](int lane) { return __shfl_sync(kWhole, 10 * lane, lane + 1); }),
            lanes([](int lane) { return 10 * ((lane + 1) % 32); }));
  EXPECT_EQ(by_lane([](int lane) { return __shfl_sync(kWhole, lane, -1); }),
            lanes([](int) { return 31; }));
}

TEST(Shuffles, UpAndDownStopAtTheEndsOfTheWarp) {
  EXPECT_EQ(by_lane([](int lane) { return __shfl_up_sync(kWhole, lane, 3); }),
            lanes([](int lane) { return lane < 3 ? lane : lane - 3; }));
  EXPECT_EQ(by_lane([](int lane) { return __shfl_down_sync(kWhole, lane, 3); }),
            lanes([](int lane) { return lane > 28 ? lane : lane + 3; }));
}

TEST(Shuffles, XorExchanges) {
  EXPECT_EQ(by_lane([](int lane) { return __shfl_xor_sync(kWhole, lane, 16); }),
            lanes([](int lane) { return lane < 16 ? lane + 16 : lane - 16; }));
  EXPECT_EQ(by_lane([](int lane) { return __shfl_xor_sync(kWhole, lane, 31); }),
            lanes([](int lane) { return 31 - lane; }));
}

template <class T>
class ShuffledValues : public testing::Test {};
using ValueTypes = testing::Types<int, unsigned, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(ShuffledValues, ValueTypes);

TYPED_TEST(ShuffledValues, KeepAllTheirBits) {
  const TypeParam low = std::numeric_limits<TypeParam>::lowest();
  const TypeParam high = std::numeric_limits<TypeParam>::max();
  EXPECT_EQ(by_lane([&](int lane) { return __shfl_xor_sync(kWhole, lane % 2 ? low : high, 1); }),
            lanes([&](int lane) { return lane % 2 ? high : low; }));
}

TEST(Votes, SeeThePredicatesOfTheMask) {
  EXPECT_EQ(by_lane([](int lane) { return __ballot_sync(kWhole, lane % 4 == 0 ? 256 : 0); }),
            lanes([](int) { return 0x11111111U; }));
  EXPECT_EQ(by_lane([](int lane) { return __any_sync(kWhole, lane == 31) ? 1 : 0; }),
            lanes([](int) { return 1; }));
  EXPECT_EQ(by_lane([](int) { return __any_sync(kWhole, 0); }), lanes([](int) { return 0; }));
  EXPECT_EQ(by_lane([](int lane) { return __all_sync(kWhole, lane + 1) ? 1 : 0; }),
            lanes([](int) { return 1; }));
  EXPECT_EQ(by_lane([](int lane) { return __all_sync(kWhole, lane); }),
            lanes([](int) { return 0; }));
}

TEST(Reductions, AddWrapAndFindTheEnds) {
  EXPECT_EQ(by_lane([](int lane) { return __reduce_add_sync(kWhole, lane - 16); }),
            lanes([](int) { return -16; }));
  EXPECT_EQ(by_lane([](int) { return __reduce_add_sync(kWhole, 0x10000001U); }),
            lanes([](int) { return 32U; }));
  EXPECT_EQ(by_lane([](int lane) { return __reduce_max_sync(kWhole, -5 - lane); }),
            lanes([](int) { return -5; }));
  EXPECT_EQ(by_lane([](int lane) { return __reduce_min_sync(kWhole, 5 - lane); }),
            lanes([](int) { return -26; }));
  EXPECT_EQ(by_lane([](int lane) { return __reduce_max_sync(kWhole, lane ? 1U : ~0U); }),
            lanes([](int) { return ~0U; }));
  EXPECT_EQ(by_lane([](int lane) { return __reduce_min_sync(kWhole, lane ? 7U : ~0U); }),
            lanes([](int) { return 7U; }));
}

TEST(Masks, DisjointOnesMayWaitAtOnceAtDifferentPlaces) {
  const auto sums = by_lane([](int lane) {
    if (lane < 8) return __reduce_add_sync(0xFF, lane);
    if (lane < 24) return __reduce_add_sync(0xFFFF00, 100 * __shfl_xor_sync(0xFFFF00, lane, 1));
    return __reduce_max_sync(0xFF000000, lane);
  });
  EXPECT_EQ(sums, lanes([](int lane) {
              return lane < 8 ? 28 : lane < 24 ? 100 * (8 + 23) * 8 : 31;
            }));
}

TEST(Masks, SomeLanesMayMeetWhileTheOthersWaitForAll) {
  const auto sums = by_lane([](int lane) {
    const int half = lane < 16 ? __reduce_add_sync(0xFFFF, 1) : 0;
    return __reduce_add_sync(kWhole, half);
  });
  EXPECT_EQ(sums, lanes([](int) { return 16 * 16; }));
}

TEST(Masks, ChainsOfOverlappingOnesComeToAnEnd) {
  const auto values = by_lane([](int lane) {
    if (lane > 2) return 0;
    int value = lane;
    if (lane < 2) value = __reduce_add_sync(0x3, value);  // 1, 1
    if (lane > 0) value = __reduce_add_sync(0x6, value);  // 1 + 2
    return value;
  });
  EXPECT_EQ(values, lanes([](int lane) { return lane == 0 ? 1 : lane < 3 ? 3 : 0; }));
}

TEST(Masks, OfAPartialWarpNameItsLanesOnly) {
  std::vector<unsigned> ballots(40);
  launch(1, 40, [&] { ballots[threadIdx.x] = __ballot_sync(threadIdx.x < 32 ? kWhole : 0xFF, 1); });
  EXPECT_EQ(ballots[31], kWhole);
  EXPECT_EQ(ballots[32], 0xFFU);
}

TEST(Masks, CountWarpsAlongXFirst) {
  std::vector<int> first(64);
  launch(1, {4, 8, 2}, [&] {
    const unsigned thread = threadIdx.x + 4 * (threadIdx.y + 8 * threadIdx.z);
    first[thread] = __shfl_sync(kWhole, static_cast<int>(thread), 0);
  });
  for (std::size_t thread = 0; thread < 64; ++thread) EXPECT_EQ(first[thread], thread / 32 * 32);
}

TEST(Masks, TheActiveOneIsSureOfTheCallerOnly) {
  EXPECT_EQ(by_lane([](int) { return __activemask(); }),
            lanes([](int lane) { return 1U << lane; }));
}

TEST(WarpBarriers, MayBeMetAtDifferentPlaces) {
  const auto seen = by_lane([](int lane) {
    if (lane % 2) {
      __syncwarp();
    } else {
      __syncwarp(kWhole);
    }
    return 1;
  });
  EXPECT_EQ(seen.size(), 32U);
}

TEST(Barriers, HoldEveryThreadUntilAllHaveArrived) {
  for (const Order order : kOrders) {
    std::vector<int> arrived(3);
    int too_early = 0;
    const auto body = [&] {
      int& here = arrived[blockIdx.x];
      for (int round = 1; round <= 5; ++round) {
        atomicAdd(&here, 1);
        __syncthreads();
        if (here != 100 * round) atomicAdd(&too_early, 1);
        __syncthreads();
      }
    };
    launch(3, 100, body, {order});
    EXPECT_EQ(arrived, std::vector<int>(3, 500));
    EXPECT_EQ(too_early, 0);
  }
}

TEST(Barriers, CountAndCombinePredicates) {
  launch(1, 100, [] {
    const int x = static_cast<int>(threadIdx.x);
    EXPECT_EQ(__syncthreads_count(x % 10 == 0 ? 7 : 0), 10);
    EXPECT_NE(__syncthreads_or(x == 99), 0);
    EXPECT_EQ(__syncthreads_or(0), 0);
    EXPECT_NE(__syncthreads_and(x + 1), 0);
    EXPECT_EQ(__syncthreads_and(x), 0);
  });
}

}  // namespace
}  // namespace vparity::simt
