#include "vparity/thread_communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(ThreadCommunicator, AnAbortReachesRanksThatWaitInAnyGroupOfTheFamily) {
  std::atomic<int> told = 0;
  const auto expect_aborted = [&](const std::function<void()>& wait) {
    EXPECT_THAT(wait, ThrowsMessage<CommunicationError>(HasSubstr("rank 3 gave up")));
    ++told;
  };
  run_thread_ranks(4, [&](Communicator& world) {
    const auto pair = world.split(world.rank() / 2, world.rank());
    if (world.rank() == 3) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      world.abort("rank 3 gave up");
    } else if (world.rank() == 2) {
      expect_aborted([&] { pair->barrier(); });
    } else {
      expect_aborted([&] { all_gather_values(world, 1); });
    }
    if (world.rank() == 0) expect_aborted([&] { pair->barrier(); });  // also later
  });
  EXPECT_EQ(told, 4);
}

TEST(ThreadCommunicator, DifferingAnnouncedSizesThrowOnAllRanks) {
  std::atomic<int> told = 0;
  run_thread_ranks(3, [&](Communicator& group) {
    std::vector<std::size_t> sizes = {1, 1, 1};
    if (group.rank() == 1) sizes[1] = 2;
    const std::vector<std::byte> send(sizes[static_cast<std::size_t>(group.rank())]);
    std::vector<std::byte> receive(group.rank() == 1 ? 4 : 3);
    EXPECT_THAT([&] { group.all_gather(send, receive, sizes); },
                ThrowsMessage<CommunicationError>(HasSubstr("different sizes")));
    ++told;
    EXPECT_EQ(all_gather_values(group, group.rank()), (std::vector{0, 1, 2}));  // still usable
  });
  EXPECT_EQ(told, 3);
}

TEST(RunThreadRanks, RethrowsTheFirstExceptionOnceAllRanksHaveEnded) {
  std::atomic<int> ended = 0;
  const auto run = [&] {
    run_thread_ranks(5, [&](Communicator& group) {
      struct AtEnd {
        std::atomic<int>& count;
        ~AtEnd() { ++count; }
      } at_end{ended};
      if (group.rank() == 2) throw std::logic_error("rank 2 failed");
      group.barrier();
    });
  };
  EXPECT_THAT(run, ThrowsMessage<std::logic_error>("rank 2 failed"));
  EXPECT_EQ(ended, 5);
}

TEST(RunThreadRanks, AGroupNeedsARank) {
  EXPECT_THROW(run_thread_ranks(0, [](Communicator&) {}), ArgumentError);
}

TEST(ThreadCommunicator, ManyMoreRanksThanCoresMakeProgress) {
  run_thread_ranks(32, [](Communicator& group) {
    for (int i = 0; i < 50; ++i) {
      const std::vector<int> all = all_gather_values(group, group.rank() + i);
      EXPECT_EQ(all.back(), 31 + i);
    }
  });
}

}  // namespace
}  // namespace vparity
