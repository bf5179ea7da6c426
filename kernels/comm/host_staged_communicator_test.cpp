// Contributions of devices over the host: on threads, and under mpirun.
#include "vparity/host_staged_communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "tests/support/run_ranks.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using testing::run_ranks;
using ::testing::ThrowsMessage;

/// A device whose queue does nothing before wait(), so that a missing wait shows the old content.
class LazyDevice final : public Device {
 public:
  std::byte* allocate(std::size_t bytes) override { return new std::byte[bytes]; }
  void release(std::byte* memory) noexcept override { delete[] memory; }
  void copy_in(std::byte* to, const std::byte* from, std::size_t bytes) override {
    const std::vector<std::byte> now(from, from + bytes);
    queue_.push_back([=] { std::ranges::copy(now, to); });
  }
  void copy_out(std::byte* to, const std::byte* from, std::size_t bytes) override {
    queue_.push_back([=] { std::copy_n(from, bytes, to); });
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override {
    copy_out(to, from, bytes);
  }
  void fill(std::byte* to, int byte, std::size_t bytes) override {
    queue_.push_back([=] { std::fill_n(to, bytes, std::byte(byte)); });
  }
  void wait() override {
    for (const auto& operation : queue_) operation();
    queue_.clear();
    ++waits;
  }
  void* stream() override { return nullptr; }

  int waits = 0;

 private:
  std::vector<std::function<void()>> queue_;
};

/// The byte that rank `rank` sends in round `round`, different from all others.
std::byte mark(int rank, int round) { return static_cast<std::byte>(16 * (round + 1) + rank); }

std::vector<std::byte> expected_of(const std::vector<std::size_t>& sizes, int round) {
  std::vector<std::byte> all;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank)
    all.insert(all.end(), sizes[rank], mark(static_cast<int>(rank), round));
  return all;
}

/// One all-gather between operations that are enqueued before and after it.
void expect_gathered(DeviceCommunicator& group, LazyDevice& device,
                     const std::vector<std::size_t>& sizes, int round) {
  const auto expected = expected_of(sizes, round);
  const std::size_t own = sizes[static_cast<std::size_t>(group.rank())];
  std::vector<std::byte> send(own);
  std::vector<std::byte> receive(expected.size() + 1, std::byte{1});
  std::vector<std::byte> seen(expected.size());
  device.fill(send.data(), std::to_integer<int>(mark(group.rank(), round)), own);
  group.all_gather(send.data(), receive.data(), sizes);
  device.copy_out(seen.data(), receive.data(), seen.size());
  group.wait();
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(receive.back(), std::byte{1});
}

TEST(HostStagedCommunicator, GathersInTheOrderOfTheQueueUnequalAndEmptyPartsInRankOrder) {
  for (const int size : {1, 2, 4}) {
    run_ranks(size, [](Communicator& host) {
      LazyDevice device;
      const auto group = make_host_staged_communicator(host, device);
      EXPECT_EQ(group->rank(), host.rank());
      EXPECT_EQ(group->size(), host.size());
      EXPECT_EQ(group->transport(), "host-staged");
      std::vector<std::size_t> sizes(static_cast<std::size_t>(host.size()));
      expect_gathered(*group, device, sizes, 0);  // all of them empty
      std::iota(sizes.begin(), sizes.end(), std::size_t{0});
      expect_gathered(*group, device, sizes, 1);
      sizes.assign(sizes.size(), 1000);
      expect_gathered(*group, device, sizes, 2);
      sizes.assign(sizes.size(), 3);  // in buffers that are larger by now
      expect_gathered(*group, device, sizes, 3);
    });
  }
}

TEST(HostStagedCommunicator, AGroupOfOneStaysInTheQueue) {
  run_ranks(1, [](Communicator& host) {
    LazyDevice device;
    const auto group = make_host_staged_communicator(host, device);
    const std::vector<std::size_t> sizes{4};
    const std::vector<std::byte> send(4, std::byte{7});
    std::vector<std::byte> receive(4);
    group->all_gather(send.data(), receive.data(), sizes);
    EXPECT_EQ(device.waits, 0);
    group->wait();
    EXPECT_THAT(receive, Each(std::byte{7}));
  });
}

TEST(HostStagedCommunicator, SizesForAnotherNumberOfRanksAreRefusedOnAllRanks) {
  run_ranks(2, [](Communicator& host) {
    LazyDevice device;
    const auto group = make_host_staged_communicator(host, device);
    const std::vector<std::size_t> sizes{4};
    EXPECT_THAT([&] { group->all_gather(nullptr, nullptr, sizes); },
                ThrowsMessage<ArgumentError>(HasSubstr("1 sizes are given for 2 ranks")));
    EXPECT_EQ(host.counters().collectives, 0);
  });
}

}  // namespace
}  // namespace vparity
