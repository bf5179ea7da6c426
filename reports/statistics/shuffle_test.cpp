#include "reports/statistics/shuffle.h"

#include <gmock/gmock.h>

#include <array>
#include <map>
#include <numeric>

namespace vparity::reports {
namespace {

using Order = std::vector<std::uint32_t>;

Order shuffled(std::uint32_t size, std::uint32_t number) {
  Order given(size), result;
  std::iota(given.begin(), given.end(), 0U);
  shuffle(given, number, result);
  return result;
}

TEST(Shuffle, HoldsWhatItWasGiven) {
  for (const std::uint32_t size : {0, 1, 2, 5, 100}) {
    Order given(size);
    std::iota(given.begin(), given.end(), 0U);
    EXPECT_THAT(shuffled(size, 3), testing::UnorderedElementsAreArray(given)) << size;
  }
}

TEST(Shuffle, IsTheSameWheneverItIsAskedFor) {
  const auto first = shuffled(30, 7);
  shuffled(30, 8);
  EXPECT_EQ(shuffled(30, 7), first);
  EXPECT_NE(shuffled(30, 8), first);
}

TEST(Shuffle, GivesEachOrderEquallyOften) {
  std::map<Order, int> seen;
  constexpr int times = 24'000;
  for (std::uint32_t number = 0; number < times; ++number) ++seen[shuffled(4, number)];
  EXPECT_EQ(seen.size(), 24u);
  // Chi-squared of 23 degrees of freedom: 1 in 1000 is above 49.7 (printed tables).
  double chi_squared = 0;
  for (const auto& [order, count] : seen) chi_squared += (count - 1000.) * (count - 1000.) / 1000;
  EXPECT_LT(chi_squared, 49.7);
}

TEST(Shuffle, OfOneElementMoreDiffersInTwoPlacesAtMost) {
  for (std::uint32_t number = 0; number < 50; ++number) {
    const auto shorter = shuffled(20, number), longer = shuffled(21, number);
    int different = 0;
    for (std::size_t i = 0; i < shorter.size(); ++i) different += shorter[i] != longer[i] ? 1 : 0;
    EXPECT_LE(different, 1) << number;
  }
}

}  // namespace
}  // namespace vparity::reports
