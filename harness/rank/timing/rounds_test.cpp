#include "harness/rank/timing/rounds.h"

#include <gmock/gmock.h>

#include <thread>

#include "harness/rank/timing/timed_buffers.h"
#include "vparity/thread_communicator.h"

namespace vparity::harness {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using namespace std::chrono_literals;

TEST(Rounds, EachBeginsWithAnotherSubjectAndSlotsTakeTurns) {
  std::vector<std::string> calls;
  const auto named = [&](const char* name) {
    return Subject{
        .run = [&calls, name](std::size_t slot) { calls.push_back(name + std::to_string(slot)); }};
  };
  run_thread_ranks(1, [&](Communicator& world) {
    const std::vector<Subject> subjects{named("a"), named("b"), named("c")};
    Rounds(world, subjects, 2).run(3);
  });
  EXPECT_THAT(calls, ElementsAre("a0", "b1", "c0", "b1", "c0", "a1", "c0", "a1", "b0"));
}

TEST(Rounds, ASampleIsTheTimeOfTheSlowestRank) {
  run_thread_ranks(2, [](Communicator& world) {
    const std::vector<Subject> subjects{
        {.run = [&](std::size_t) { std::this_thread::sleep_for(world.rank() == 1 ? 20ms : 1ms); }}};
    const auto samples = Rounds(world, subjects, 1).run(2);
    ASSERT_EQ(samples.at(0).size(), 2U);
    for (const Sample& sample : samples[0]) {
      EXPECT_GE(sample.slowest, 0.02);
      EXPECT_LT(sample.fastest, 0.02);
    }
  });
}

TEST(Rounds, WhatFollowsARunIsNotTimed) {
  run_thread_ranks(1, [](Communicator& world) {
    std::vector<std::int64_t> iterations;
    const std::vector<Subject> subjects{{.run = [](std::size_t) {},
                                         .after =
                                             [&](std::int64_t iteration, std::size_t) {
                                               iterations.push_back(iteration);
                                               std::this_thread::sleep_for(20ms);
                                             }}};
    const auto samples = Rounds(world, subjects, 1).run(2);
    EXPECT_THAT(slowest_of(samples.at(0)), Each(::testing::Lt(0.02)));
    EXPECT_THAT(iterations, ElementsAre(0, 1));
  });
}

std::vector<std::vector<Sample>> steady(double seconds) {
  return {std::vector<Sample>(6, Sample{seconds, seconds})};
}

TEST(RoundsWanted, AreTheFewestForASteadySubjectAndFewerIfTheyTakeTooLong) {
  const SamplePlan plan{.half_width = 0.01, .fewest = 10, .most = 100, .time = 15s};
  EXPECT_EQ(rounds_wanted(steady(0.001), plan), 10);
  EXPECT_EQ(rounds_wanted(steady(3), plan), 5);
  EXPECT_EQ(rounds_wanted(steady(60), plan), 2);
}

TEST(RoundsWanted, GrowWithTheSpreadUpToTheMost) {
  const SamplePlan plan{.half_width = 0.01, .fewest = 10, .most = 100, .time = 15s};
  auto pilot = steady(0.001);
  for (std::size_t i = 0; i < pilot[0].size(); i += 2) pilot[0][i].slowest *= 1.5;
  EXPECT_EQ(rounds_wanted(pilot, plan), 100);
}

TEST(SlotsNeeded, TogetherExceedTwiceTheCache) {
  constexpr double megabyte = 1e6;
  EXPECT_EQ(slots_needed(78 * megabyte, 2, 32'000'000).slots, 2U);
  EXPECT_EQ(slots_needed(1 * megabyte, 2, 32'000'000).slots, 33U);
  EXPECT_FALSE(slots_needed(1 * megabyte, 2, 32'000'000).cache_resident);
  EXPECT_TRUE(slots_needed(100, 1, 32'000'000).cache_resident);
  EXPECT_TRUE(slots_needed(0, 1, 32'000'000).cache_resident);
  EXPECT_EQ(slots_needed(78 * megabyte, 1, 0).slots, 15U);  // a cache of 512 MB
}

}  // namespace
}  // namespace vparity::harness
