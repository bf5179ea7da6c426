// A failure of one rank is thrown on all ranks: on threads, and under mpirun.
#include "comm/common_outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "tests/support/run_ranks.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using testing::run_ranks;
using ::testing::ThrowsMessage;

TEST(CommonOutcome, StepThatFailsNowhereGivesEachRankItsOwnResult) {
  run_ranks(3, [](Communicator& group) {
    const auto own = with_common_outcome(group, "counting", [&] { return group.rank() + 10; });
    EXPECT_EQ(own, group.rank() + 10);
  });
}

TEST(CommonOutcome, StepThatFailsOnSomeRanksFailsOnAllWithTheTextOfTheFirst) {
  run_ranks(4, [](Communicator& group) {
    const auto step = [&] {
      return with_common_outcome(group, "counting", [&]() -> int {
        if (group.rank() >= 2) throw std::runtime_error(group.rank() == 2 ? "two" : "three");
        return 0;
      });
    };
    EXPECT_THAT(step, ThrowsMessage<CommunicationError>("counting: rank 2 of 4: two"));
    EXPECT_EQ(all_gather_values(group, 1).size(), 4);  // still usable
  });
}

TEST(CommonOutcome, ResultIsReleasedIfAnotherRankFails) {
  run_ranks(2, [](Communicator& group) {
    const auto witness = std::make_shared<int>(1);
    EXPECT_THROW(with_common_outcome(group, "making",
                                     [&] {
                                       if (group.rank() == 1) throw std::runtime_error("no");
                                       return witness;
                                     }),
                 CommunicationError);
    EXPECT_EQ(witness.use_count(), 1);
  });
}

TEST(CommonOutcome, LongTextLosesItsEndAndEmptyTextIsStillAFailure) {
  run_ranks(2, [](Communicator& group) {
    const std::string expected = "s: rank 0 of 2: " + std::string(1023, 'x');
    EXPECT_THAT([&] { throw_if_any_failed(group, "s", std::string(5000, 'x')); },
                ThrowsMessage<CommunicationError>(expected));
    const auto wordless = [&] {
      with_common_outcome(group, "s", []() -> int { throw std::runtime_error(""); });
    };
    EXPECT_THROW(wordless(), CommunicationError);
  });
}

}  // namespace
}  // namespace vparity
