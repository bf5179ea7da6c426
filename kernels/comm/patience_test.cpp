#include "comm/patience.h"

#include <gtest/gtest.h>

namespace vparity {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Patience, RunsOutOnceItsLimitHasPassedAndNotBefore) {
  for (const milliseconds limit : {milliseconds(3), milliseconds(40)}) {  // without sleep, and with
    const auto start = steady_clock::now();
    const Patience patience(limit);
    int turns = 0;
    while (!patience.has_run_out()) ++turns;
    EXPECT_GE(steady_clock::now() - start, limit);
    EXPECT_GT(turns, 0);
    EXPECT_TRUE(patience.has_run_out());
  }
}

TEST(Patience, OfNoLengthIsOverAtOnce) { EXPECT_TRUE(Patience(milliseconds(0)).has_run_out()); }

}  // namespace
}  // namespace vparity
