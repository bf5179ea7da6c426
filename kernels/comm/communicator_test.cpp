// Requirements of every transport: on threads, and under mpirun.
#include "vparity/communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/run_ranks.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::ElementsAre;
using testing::run_ranks;

/// `size` bytes that identify their rank.
std::vector<std::byte> contribution(int rank, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<std::byte>(31 * static_cast<std::size_t>(rank + 1) + i);
  }
  return bytes;
}

void expect_all_gathered(Communicator& group, const std::vector<std::size_t>& sizes) {
  std::vector<std::byte> expected;
  for (int rank = 0; rank < group.size(); ++rank) {
    const auto part = contribution(rank, sizes[static_cast<std::size_t>(rank)]);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  std::vector<std::byte> received(expected.size());
  group.all_gather(contribution(group.rank(), sizes[static_cast<std::size_t>(group.rank())]),
                   received, sizes);
  EXPECT_EQ(received, expected);
}

TEST(Communicator, AllGatherConcatenatesUnequalAndEmptyContributionsInRankOrder) {
  for (const int size : {1, 2, 3, 8}) {
    run_ranks(size, [](Communicator& group) {
      std::vector<std::size_t> sizes(static_cast<std::size_t>(group.size()));
      expect_all_gathered(group, sizes);  // all of them empty
      std::iota(sizes.begin(), sizes.end(), std::size_t{0});
      expect_all_gathered(group, sizes);
      std::ranges::fill(sizes, std::size_t{100000});
      expect_all_gathered(group, sizes);
    });
  }
}

TEST(Communicator, CountersCountAllGathersAndBytesButNoBarriers) {
  run_ranks(3, [](Communicator& group) {
    const std::vector<std::size_t> sizes = {5, 0, 7};
    expect_all_gathered(group, sizes);
    group.barrier();
    all_gather_values(group, std::int64_t{1});
    const auto own = static_cast<std::int64_t>(sizes[static_cast<std::size_t>(group.rank())]);
    EXPECT_EQ(group.counters(), (CommunicationCounters{2, own + 8, 12 - own + 16}));
  });
}

TEST(Communicator, SplitGroupsByColorAndOrdersByKeyThenRank) {
  run_ranks(8, [](Communicator& world) {
    // Odd and even ranks; the even ones in reverse order.
    const bool even = world.rank() % 2 == 0;
    const auto half = world.split(even ? 0 : 1, even ? -world.rank() : 0);
    const std::vector<int> members = all_gather_values(*half, world.rank());
    if (even) {
      EXPECT_THAT(members, ElementsAre(6, 4, 2, 0));
    } else {
      EXPECT_THAT(members, ElementsAre(1, 3, 5, 7));
    }
    EXPECT_EQ(members[static_cast<std::size_t>(half->rank())], world.rank());
  });
}

TEST(Communicator, GroupsOfASplitWorkIndependently) {
  run_ranks(6, [](Communicator& world) {
    const auto tp = world.split(world.rank() / 2, world.rank());
    const auto dp = world.split(world.rank() % 2, world.rank());
    for (int i = 0; i < 20 * (world.rank() / 2); ++i) all_gather_values(*tp, i);
    EXPECT_THAT(all_gather_values(*dp, world.rank() / 2), ElementsAre(0, 1, 2));
  });
}

TEST(Communicator, SizesThatDoNotFitTheBuffersAreRefusedBeforeAnythingIsSent) {
  run_ranks(2, [](Communicator& group) {
    const std::vector<std::byte> send(4);
    std::vector<std::byte> receive(7);
    EXPECT_THROW(group.all_gather(send, receive), ArgumentError);
    const std::vector<std::size_t> one_size = {4};
    EXPECT_THROW(group.all_gather(send, receive, one_size), ArgumentError);
    EXPECT_EQ(group.counters(), CommunicationCounters{});
  });
}

}  // namespace
}  // namespace vparity
