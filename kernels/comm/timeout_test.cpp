#include "comm/timeout.h"

#include <gtest/gtest.h>

namespace vparity {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Timeout, PassesAfterItsLimitAndNotBefore) {
  for (const milliseconds limit : {milliseconds(3), milliseconds(40)}) {  // without sleep, and with
    const auto start = steady_clock::now();
    const Timeout timeout(limit);
    int turns = 0;
    while (!timeout.has_passed()) ++turns;
    EXPECT_GE(steady_clock::now() - start, limit);
    EXPECT_GT(turns, 0);
    EXPECT_TRUE(timeout.has_passed());
  }
}

TEST(Timeout, OfZeroLengthHasPassedAtOnce) { EXPECT_TRUE(Timeout(milliseconds(0)).has_passed()); }

}  // namespace
}  // namespace vparity
