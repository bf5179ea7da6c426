// NCCL between GPUs: one rank on one, and as many as there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#include "vparity/cuda_device.h"
#include "vparity/cuda_presence.h"
#include "vparity/errors.h"
#include "vparity/nccl_communicator.h"
#include "vparity/thread_communicator.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::byte mark(int rank) { return static_cast<std::byte>(rank + 1); }

/// Gathers parts of these sizes through device memory, in the order of the stream.
void expect_gathered(DeviceCommunicator& group, Device& device,
                     const std::vector<std::size_t>& sizes) {
  std::vector<std::byte> expected;
  for (int rank = 0; rank < group.size(); ++rank)
    expected.insert(expected.end(), sizes[static_cast<std::size_t>(rank)], mark(rank));
  const std::size_t own = sizes[static_cast<std::size_t>(group.rank())];
  std::byte* const send = device.allocate(own);
  std::byte* const receive = device.allocate(expected.size());
  std::vector<std::byte> seen(expected.size());
  device.fill(send, std::to_integer<int>(mark(group.rank())), own);
  device.fill(receive, 0xee, expected.size());
  group.all_gather(send, receive, sizes);
  device.copy_out(seen.data(), receive, seen.size());
  group.wait();
  EXPECT_EQ(seen, expected);
  device.release(send);
  device.release(receive);
}

TEST(NcclCommunicator, GathersEqualUnequalAndEmptyPartsAmongAsManyRanksAsThereAreGpus) {
  const int gpus = cuda_device_presence().count;
  for (int ranks = 1; ranks <= gpus; ++ranks) {
    run_thread_ranks(ranks, [](Communicator& host) {
      const auto device = make_cuda_device(host.rank());
      const auto group = make_nccl_communicator(host, *device);
      EXPECT_EQ(group->transport(), "nccl");
      std::vector<std::size_t> sizes(static_cast<std::size_t>(host.size()));
      expect_gathered(*group, *device, sizes);
      std::iota(sizes.begin(), sizes.end(), std::size_t{0});
      expect_gathered(*group, *device, sizes);
      std::ranges::fill(sizes, std::size_t{24} * 8192);
      expect_gathered(*group, *device, sizes);
    });
  }
}

TEST(NcclCommunicator, TwoRanksOnOneGpuAreRefusedOnBoth) {
  run_thread_ranks(2, [](Communicator& host) {
    const auto device = make_cuda_device(0);
    EXPECT_THAT(
        [&] { make_nccl_communicator(host, *device); },
        ThrowsMessage<CommunicationError>(HasSubstr("ranks 0 and 1 of 2 have the same GPU")));
  });
}

TEST(NcclCommunicator, MissingPeerIsAnErrorAndSoIsEachLaterCall) {
  if (cuda_device_presence().count < 2) GTEST_SKIP() << "needs two GPUs";
  run_thread_ranks(2, [](Communicator& host) {
    const auto device = make_cuda_device(host.rank());
    const auto group = make_nccl_communicator(host, *device, {std::chrono::seconds(2)});
    const std::vector<std::size_t> sizes{256, 256};
    std::byte* const memory = device->allocate(512);
    if (host.rank() == 0) {
      const auto gather = [&] {
        group->all_gather(memory, memory, sizes);
        group->wait();
      };
      EXPECT_THAT(gather, ThrowsMessage<CommunicationError>(HasSubstr("rank 0 of 2")));
      EXPECT_THAT(gather, ThrowsMessage<CommunicationError>(HasSubstr("the group has ended")));
    }
    host.barrier();
    device->release(memory);
  });
}

}  // namespace
}  // namespace vparity
