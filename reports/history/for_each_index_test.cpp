#include "reports/history/for_each_index.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace vparity::reports {
namespace {

TEST(ForEachIndex, CallsOnceForEach) {
  for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<int> calls(count);
    for_each_index(count, [&](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(calls, std::vector<int>(count, 1));
  }
}

TEST(ForEachIndex, PassesOnWhatACallThrows) {
  for (const std::size_t bad : {0U, 50U, 99U})
    EXPECT_THROW(for_each_index(100,
                                [bad](std::size_t i) {
                                  if (i == bad) throw std::runtime_error("bad");
                                }),
                 std::runtime_error);
}

}  // namespace
}  // namespace vparity::reports
