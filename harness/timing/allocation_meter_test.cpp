#include "harness/timing/allocation_meter.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace vparity::harness {
namespace {

constexpr std::int64_t megabyte = 1'000'000;
constexpr std::int64_t slack = 4096;  // malloc rounds up

TEST(AllocationMeter, SeesThePeakAlsoOfWhatIsGivenBack) {
  const std::vector<char> before(5 * megabyte);
  const AllocationMeter meter;
  { const std::vector<char> first(3 * megabyte); }
  const std::vector<char> second(2 * megabyte);
  EXPECT_GE(meter.held_bytes(), 2 * megabyte);
  EXPECT_LE(meter.held_bytes(), 2 * megabyte + slack);
  EXPECT_GE(meter.peak_bytes(), 3 * megabyte);
  EXPECT_LE(meter.peak_bytes(), 3 * megabyte + slack);
}

TEST(AllocationMeter, CountsOverAlignedMemory) {
  struct alignas(256) Wide {
    char bytes[1024];
  };
  const AllocationMeter meter;
  const auto wide = std::make_unique<Wide>();
  EXPECT_GE(meter.peak_bytes(), 1024);
}

TEST(AllocationMeter, DoesNotSeeOtherThreads) {
  const AllocationMeter meter;
  std::jthread([] { const std::vector<char> elsewhere(8 * megabyte); }).join();
  EXPECT_LT(meter.peak_bytes(), megabyte);
}

}  // namespace
}  // namespace vparity::harness
