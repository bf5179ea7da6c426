#include "comm/distinct_gpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(DistinctGpus, TwoRanksOnOneGpuAreNamedForAnyPair) {
  const GpuId a{1}, b{2}, c{0, 1};
  EXPECT_NO_THROW(require_distinct_gpus({}));
  EXPECT_NO_THROW(require_distinct_gpus(std::vector<GpuId>(1, a)));
  EXPECT_NO_THROW(require_distinct_gpus(std::vector{a, b, c}));
  EXPECT_THAT(
      [&] {
        require_distinct_gpus(std::vector{a, b, c, b});
      },
      ThrowsMessage<CommunicationError>(HasSubstr("ranks 1 and 3 of 4")));
}

}  // namespace
}  // namespace vparity
