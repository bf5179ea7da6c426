#include "reports/model/exit_code.h"

#include <gtest/gtest.h>

#include <csignal>

namespace vparity::reports {
namespace {

// docs/command-line.md: the codes, and "the first of 1, 4, 3, 5, 77, 0". Usage errors are found
// before anything else can happen; a signal ends what would have decided otherwise.
constexpr int order[] = {130, 2, 1, 4, 3, 5, 77, 0};

TEST(ExitCode, HasTheNumbersOfTheDocumentedTable) {
  EXPECT_EQ(exit_passed, 0);
  EXPECT_EQ(exit_failed, 1);
  EXPECT_EQ(exit_usage, 2);
  EXPECT_EQ(exit_infrastructure, 3);
  EXPECT_EQ(exit_timeout, 4);
  EXPECT_EQ(exit_inconclusive, 5);
  EXPECT_EQ(exit_nothing_ran, 77);
  EXPECT_EQ(exit_by_signal(SIGHUP), 129);
  EXPECT_EQ(exit_by_signal(SIGINT), 130);
  EXPECT_EQ(exit_by_signal(SIGTERM), 143);
  EXPECT_EQ(signal_of(exit_by_signal(SIGTERM)), SIGTERM);
}

TEST(ExitCode, OfEveryPairTheEarlierInTheOrderCounts) {
  for (auto first = std::begin(order); first != std::end(order); ++first) {
    EXPECT_EQ(first_in_precedence({ExitCode(*first)}), *first);
    for (auto later = first + 1; later != std::end(order); ++later) {
      EXPECT_EQ(first_in_precedence({ExitCode(*first), ExitCode(*later)}), *first);
      EXPECT_EQ(first_in_precedence({ExitCode(*later), ExitCode(*first)}), *first);
    }
  }
}

TEST(ExitCode, OfAllTheFirstInTheOrderCounts) {
  std::vector<ExitCode> all;
  for (const int code : order) all.insert(all.begin(), ExitCode(code));
  for (const int code : order) {
    EXPECT_EQ(first_in_precedence(all), code);
    all.pop_back();
  }
}

TEST(ExitCode, OnlyCodesAbove128AreBySignal) {
  for (const int code : {0, 1, 2, 3, 4, 5, 77, 128}) EXPECT_FALSE(is_by_signal(code)) << code;
  for (const int code : {129, 130, 143}) EXPECT_TRUE(is_by_signal(code)) << code;
}

TEST(ExitCode, OfTwoSignalsTheFirstGivenCounts) {
  EXPECT_EQ(first_in_precedence({exit_by_signal(SIGTERM), exit_by_signal(SIGINT)}), 143);
}

}  // namespace
}  // namespace vparity::reports
