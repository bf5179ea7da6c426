#include "harness/run/terminal/reporter.h"

#include <gmock/gmock.h>

namespace vparity::harness {
namespace {

using testing::HasSubstr;

TEST(Progress, EstimatesFromTheCasesOfThisProcess) {
  EXPECT_EQ(
      progress_text(
          {.planned = 560, .decided = 123, .failed = 2, .decided_here = 100, .elapsed_s = 4.5}),
      "123/560 cases, 2 failed, about 20 s left");
}

TEST(Progress, SaysMinutesWhenThereAreMany) {
  EXPECT_THAT(
      progress_text({.planned = 101, .decided = 1, .failed = 0, .decided_here = 1, .elapsed_s = 6}),
      HasSubstr("about 10 min left"));
}

TEST(Progress, ClaimsNothingBeforeTheFirstCase) {
  EXPECT_EQ(progress_text({.planned = 4, .decided = 2}), "2/4 cases, 0 failed");
}

}  // namespace
}  // namespace vparity::harness
