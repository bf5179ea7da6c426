#include "harness/rank/ranks/phases.h"

#include <gmock/gmock.h>

#include <mutex>

#include "vparity/errors.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

constexpr auto grace = 200ms;

struct Failures {
  std::mutex mutex;
  std::vector<PhaseFailed> all;

  void run(int ranks, const std::function<void(Communicator&)>& body) {
    run_thread_ranks(ranks, [&](Communicator& world) {
      Phases phases(
          "a test", world, [](std::string_view) {}, grace);
      try {
        phases.run("forward", [&] { body(world); });
      } catch (const PhaseFailed& failure) {
        const std::lock_guard lock(mutex);
        all.push_back(failure);
      }
    });
  }
};

TEST(Phases, AreAnnouncedOnceEach) {
  std::vector<std::string> heard;
  run_thread_ranks(1, [&](Communicator& world) {
    Phases phases(
        "a test", world, [&](std::string_view phase) { heard.emplace_back(phase); }, grace);
    phases.run("inputs", [] {});
    phases.run("reference", [] {});
    phases.run("reference", [] {});
  });
  EXPECT_THAT(heard, ElementsAre("inputs", "reference"));
}

TEST(Phases, OneRanksExceptionIsEveryRanksFailure) {
  Failures failures;
  failures.run(3, [](Communicator& world) {
    if (world.rank() == 1) throw std::runtime_error("no luck");
  });
  ASSERT_EQ(failures.all.size(), 3U);
  for (const PhaseFailed& failure : failures.all) {
    EXPECT_EQ(failure.phase, "forward");
    EXPECT_EQ(failure.reason, (reports::Reason{"exception", "rank 1: no luck"}));
  }
}

TEST(Phases, AFailureAllRanksShareNamesNoRank) {
  Failures failures;
  failures.run(3, [](Communicator&) { throw ArgumentError("temperature must be above 0"); });
  ASSERT_EQ(failures.all.size(), 3U);
  EXPECT_EQ(failures.all[0].reason,
            (reports::Reason{"argument_error", "temperature must be above 0"}));
}

TEST(Phases, TheCauseIsPreferredToItsEchoes) {
  Failures failures;
  failures.run(2, [](Communicator& world) {
    if (world.rank() == 0) throw CommunicationError("the other side hung up");
    throw std::bad_alloc();
  });
  EXPECT_EQ(failures.all.at(0).reason, (reports::Reason{"out_of_memory", "rank 1: out of memory"}));
}

TEST(Phases, ALongMessageIsCutNotLost) {
  Failures failures;
  failures.run(1, [](Communicator&) { throw std::runtime_error(std::string(10000, 'x')); });
  EXPECT_EQ(failures.all.at(0).reason.text, std::string(511, 'x'));
}

TEST(Phases, RanksLeftInACollectiveAreReleased) {
  const auto start = std::chrono::steady_clock::now();
  const auto run = [] {
    run_thread_ranks(2, [](Communicator& world) {
      const auto tp = world.split(0, world.rank());
      Phases phases(
          "a test", world, [](std::string_view) {}, grace);
      phases.run("forward", [&] {
        if (tp->rank() == 1) throw std::runtime_error("left alone");
        tp->barrier();
      });
    });
  };
  EXPECT_THROW(run(), CommunicationError);
  EXPECT_GE(std::chrono::steady_clock::now() - start, grace);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

}  // namespace
}  // namespace vparity::harness
