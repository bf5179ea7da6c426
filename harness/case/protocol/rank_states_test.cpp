#include "harness/case/protocol/rank_states.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <system_error>

#include "harness/case/protocol/protocol.h"

namespace vparity::harness {
namespace {

using nlohmann::ordered_json;

class RankStatesOfThree : public testing::Test {
 protected:
  RankStates states_{testing::TempDir() + "rank_states", 3};
};

TEST_F(RankStatesOfThree, AreEmptyBeforeTheJobStarts) {
  const auto states = states_.read();
  ASSERT_EQ(states.size(), 3U);
  EXPECT_EQ(states[2].collectives, 0U);
  EXPECT_FALSE(states[2].waits);
  EXPECT_STREQ(states[2].phase.data(), "");
}

TEST_F(RankStatesOfThree, AreSeenWhileTheRanksLiveAndAfterwards) {
  {
    RankStateWriter rank_0(states_.path(), 0);
    RankStateWriter rank_2(states_.path(), 2);
    rank_0.enter_collective();
    rank_0.leave_collective();
    rank_2.enter_collective();
    rank_2.leave_collective();
    rank_2.enter_collective();
    EXPECT_TRUE(states_.read().at(2).waits);
    rank_0.abort();
  }
  const auto states = states_.read();
  EXPECT_EQ(states[0].collectives, 1U);
  EXPECT_FALSE(states[0].waits);
  EXPECT_TRUE(states[0].aborts);
  EXPECT_FALSE(states[2].aborts);
  EXPECT_EQ(states[1].collectives, 0U);
  EXPECT_EQ(states[2].collectives, 2U);
  EXPECT_TRUE(states[2].waits);
}

TEST_F(RankStatesOfThree, HaveThePhaseOfTheEventsWhateverTheRank) {
  RankStateWriter state(states_.path(), 1);
  const EventWriter events(-1, &state);
  events.write({{"event", "phase"}, {"id", "abc"}, {"phase", "forward"}});
  EXPECT_STREQ(states_.read().at(1).phase.data(), "forward");
  events.write({{"event", "phase"}, {"id", "abc"}, {"phase", "a phase with a long name"}});
  EXPECT_STREQ(states_.read().at(1).phase.data(), "a phase with a ");
  events.write({{"event", "result"}, {"id", "abc"}, {"outcome", ordered_json::object()}});
  EXPECT_STREQ(states_.read().at(1).phase.data(), "");
}

TEST_F(RankStatesOfThree, HaveNoPlaceForARankThatIsNotOfTheJob) {
  EXPECT_THROW(RankStateWriter(states_.path(), 3), std::runtime_error);
  EXPECT_THROW(RankStateWriter(states_.path() + ".missing", 0), std::system_error);
}

TEST(RankStates, LeaveNoFile) {
  const auto path = testing::TempDir() + "rank_states_gone";
  { const RankStates states(path, 1); }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(RankStateWriter, WithoutAFileWritesNowhere) {
  RankStateWriter state("", 3);
  state.enter_collective();
  state.follow({{"event", "phase"}, {"phase", "forward"}});
}

}  // namespace
}  // namespace vparity::harness
