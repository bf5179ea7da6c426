// The NCCL communicator on a machine without a device: it links, starts, and fails on every rank
// without leaving a rank waiting. On threads, and under mpirun.
#include "vparity/nccl_communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/support/run_ranks.h"
#include "vparity/cuda_device.h"
#include "vparity/cuda_presence.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::run_ranks;
using ::testing::ThrowsMessage;

/// A device with host memory, or one that fails to allocate.
class NoCudaDevice final : public Device {
 public:
  explicit NoCudaDevice(bool broken) : broken_(broken) {}

  std::byte* allocate(std::size_t bytes) override {
    if (broken_) throw DeviceError("it has fallen off the bus");
    return new std::byte[bytes];
  }
  void release(std::byte* memory) noexcept override { delete[] memory; }
  void copy_in(std::byte*, const std::byte*, std::size_t) override {}
  void copy_out(std::byte*, const std::byte*, std::size_t) override {}
  void copy(std::byte*, const std::byte*, std::size_t) override {}
  void fill(std::byte*, int, std::size_t) override {}
  void wait() override {}
  void* stream() override { return nullptr; }

 private:
  bool broken_;
};

TEST(NcclVersion, IsThatOfTheLoadedLibraryAndNeedsNoDriver) {
  EXPECT_THAT(nccl_version(), MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
}

TEST(NcclCommunicator, DeviceOtherThanACudaDeviceIsRefusedOnEveryRank) {
  for (const int size : {1, 2, 3}) {
    run_ranks(size, [](Communicator& group) {
      NoCudaDevice device(false);
      EXPECT_THAT([&] { make_nccl_communicator(group, device); },
                  ThrowsMessage<CommunicationError>(HasSubstr("NCCL: rank 0 of ")));
    });
  }
}

TEST(NcclCommunicator, FailureOfOneRankIsThrownOnEveryRank) {
  run_ranks(2, [](Communicator& group) {
    NoCudaDevice device(group.rank() == 0);
    EXPECT_THAT([&] { make_nccl_communicator(group, device); },
                ThrowsMessage<CommunicationError>("NCCL: rank 0 of 2: it has fallen off the bus"));
    EXPECT_EQ(all_gather_values(group, 1).size(), 2);  // the group itself is well
  });
}

/// Makes the device, then the communicator, as a rank does.
TEST(NcclCommunicator, WithoutADeviceEveryRankThrowsAndNoneWaits) {
  if (cuda_device_presence().count > 0) GTEST_SKIP() << "there is a device";
  run_ranks(2, [](Communicator& group) {
    EXPECT_THAT([&] { make_nccl_communicator(group, *make_cuda_device(group.rank())); },
                ThrowsMessage<DeviceError>(HasSubstr(cuda_device_presence().reason)));
  });
}

}  // namespace
}  // namespace vparity
