#include "harness/run/launcher/first_failing_rank.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace vparity::harness {
namespace {

constexpr auto running_case = "54e4981c9ea9";
constexpr auto words_of_rank_1 = "[rank 1] case 54e4981c9ea9, forward: no luck\n";
constexpr auto words_of_rank_0 = "[rank 0] case 54e4981c9ea9, forward: peer is gone\n";
constexpr auto notice_of_rank_1 =
    "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).\n";

RankState state(std::uint64_t collectives, bool waits, std::string_view phase = "forward") {
  RankState made{.collectives = collectives, .waits = waits, .phase = {}};
  std::ranges::copy(phase, made.phase.begin());
  return made;
}

std::string found(const std::string& log, std::vector<RankState> states = {}) {
  return first_failing_rank(
      {.log = log, .states = std::move(states), .running_case = running_case, .phase = "inputs"});
}

TEST(FirstFailingRank, IsTheOneThatTheLauncherBlamesInItsOwnWords) {
  EXPECT_EQ(found(notice_of_rank_1), "first failing rank 1, in phase inputs: signal 9 (Killed)");
  EXPECT_EQ(found(std::string(words_of_rank_0) + words_of_rank_1 + notice_of_rank_1),
            "first failing rank 1, in phase inputs: no luck");
}

TEST(FirstFailingRank, IsTheOneThatAbortsRatherThanTheFirstThatIsHeard) {
  auto aborting = state(4, false);
  aborting.aborts = true;
  EXPECT_EQ(found(words_of_rank_0, {state(5, true), aborting}),
            "first failing rank 1, in phase forward");
}

TEST(FirstFailingRank, IsTheFirstThatSaidWhatWentWrong) {
  EXPECT_EQ(found(std::string(words_of_rank_1) + words_of_rank_0, {state(5, true), state(5, true)}),
            "first failing rank 1, in phase forward: no luck");
}

TEST(FirstFailingRank, IsTheOneThatTheOthersWaitFor) {
  EXPECT_EQ(found("", {state(5, true), state(5, true), state(4, false, "backward")}),
            "first failing rank 2, in phase backward");
  EXPECT_EQ(found("", {state(4, false)}), "first failing rank 0, in phase forward");
}

TEST(FirstFailingRank, IsTheOneThatHasComeLeastFarOfThoseThatDoNotWait) {
  EXPECT_EQ(found("", {state(6, false), state(4, false), state(6, true)}),
            "first failing rank 1, in phase forward");
  EXPECT_EQ(found("", {state(4, false), state(4, false), state(5, true)}),
            "first failing: one of the ranks 0, 1, in phase forward");
}

TEST(FirstFailingRank, IsNotGuessed) {
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found("", {state(4, false), state(4, false)}), "");
  EXPECT_EQ(found("", {state(4, true), state(4, true)}), "");
  EXPECT_EQ(found("", {state(0, false)}), "");
}

}  // namespace
}  // namespace vparity::harness
