#include "harness/machine/passes.h"

#include <gmock/gmock.h>
#include <hwy/targets.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "harness/machine/prefetch_distance.h"

namespace vparity::harness {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_bytes(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

/// Byte i of the memory weighs 256^(i mod 8) in the sum.
std::uint64_t sum_of_words(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    sum += static_cast<std::uint64_t>(bytes[i]) << 8 * (i % 8);
  }
  return sum;
}

/// Runs once per instruction set of this machine.
class MemoryPasses : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};
INSTANTIATE_TEST_SUITE_P(Targets, MemoryPasses,
                         testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         [](const auto& test) { return std::string(hwy::TargetName(test.param)); });

constexpr std::size_t lengths[] = {0, 1, 7, 8, 9, 63, 64, 255, 256, 257, 1000, 4099, 70001};
constexpr std::size_t offsets[] = {0, 1, 3, 8, 16, 63};

TEST_P(MemoryPasses, ReadPassSumsTheWordsAtAnyAlignmentAndLength) {
  const Bytes bytes = random_bytes(70100);
  for (const std::size_t length : lengths) {
    for (const std::size_t offset : offsets) {
      const auto memory = std::span(bytes).subspan(offset, length);
      for (const std::size_t distance : prefetch_distances) {
        ASSERT_EQ(read_pass(memory, distance), sum_of_words(memory)) << length << " " << offset;
      }
    }
  }
}

TEST_P(MemoryPasses, ReadPassChangesWithEveryByte) {
  Bytes bytes = random_bytes(1003);
  const std::uint64_t before = read_pass(bytes, 4096);
  for (std::byte& byte : bytes) {
    byte ^= std::byte{0x80};
    ASSERT_NE(read_pass(bytes, 4096), before);
    byte ^= std::byte{0x80};
  }
  EXPECT_EQ(read_pass(bytes, 4096), before);
}

/// Checks that only the bytes of `from` at `offset` are written to `target`.
void expect_copied(std::span<const std::byte> from, std::size_t offset, std::size_t distance) {
  constexpr std::byte untouched{0x5A};
  Bytes target(from.size() + offset + 64, untouched);
  copy_pass(from, std::span(target).subspan(offset, from.size()), distance);
  Bytes expected(target.size(), untouched);
  std::ranges::copy(from, expected.begin() + static_cast<std::ptrdiff_t>(offset));
  ASSERT_EQ(target, expected) << from.size() << " bytes to offset " << offset;
}

TEST_P(MemoryPasses, CopyPassCopiesExactlyAtAnyAlignmentAndLength) {
  const Bytes bytes = random_bytes(70100);
  for (const std::size_t length : lengths) {
    for (const std::size_t from : offsets) {
      for (const std::size_t to : offsets) {
        expect_copied(std::span(bytes).subspan(from, length), to, 0);
        expect_copied(std::span(bytes).subspan(from, length), to, 8192);
      }
    }
  }
}

TEST(PrefetchDistance, IsTheFastestOfThoseTried) {
  for (const std::size_t fast : prefetch_distances) {
    const auto pass = [&](std::size_t distance) {
      std::this_thread::sleep_for(std::chrono::milliseconds(distance == fast ? 1 : 20));
    };
    EXPECT_EQ(best_prefetch_distance(pass, 5), fast);
  }
}

}  // namespace
}  // namespace vparity::harness
