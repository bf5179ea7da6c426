#include "harness/rank/timing/allocation_meter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <new>
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

/// Takes and frees a megabyte through each form of [new.delete] that takes size and `arguments`.
template <class... Arguments>
void expect_counted(const Arguments&... arguments) {
  {
    const AllocationMeter meter;
    void* const memory = operator new(megabyte, arguments...);
    EXPECT_GE(meter.held_bytes(), megabyte);
    operator delete(memory, arguments...);
    EXPECT_EQ(meter.held_bytes(), 0);
  }
  const AllocationMeter meter;
  void* const memory = operator new[](megabyte, arguments...);
  EXPECT_GE(meter.held_bytes(), megabyte);
  operator delete[](memory, arguments...);
  EXPECT_EQ(meter.held_bytes(), 0);
}

TEST(AllocationMeter, CountsEveryForm) {
  constexpr std::align_val_t alignment{256};
  expect_counted();
  expect_counted(std::nothrow);
  expect_counted(alignment);
  expect_counted(alignment, std::nothrow);
}

TEST(AllocationMeter,
     StableSortLeavesNothing) {  // its buffer comes by `nothrow` and goes by a plain delete
  std::vector<int> numbers(1000, 1);
  const AllocationMeter meter;
  std::ranges::stable_sort(numbers);
  EXPECT_GT(meter.peak_bytes(), 0);
  EXPECT_EQ(meter.held_bytes(), 0);
}

TEST(AllocationMeter, DoesNotSeeOtherThreads) {
  const AllocationMeter meter;
  std::jthread([] { const std::vector<char> elsewhere(8 * megabyte); }).join();
  EXPECT_LT(meter.peak_bytes(), megabyte);
}

}  // namespace
}  // namespace vparity::harness
