// Which devices have kernels.
#include "device/kernels/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "device/simulated/simulated_device.h"
#include "vparity/device_memory_passes.h"
#include "vparity/device_policy_statistics.h"
#include "vparity/host_staged_communicator.h"
#include "vparity/thread_communicator.h"

namespace vparity::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A device that an application derives from the installed header.
class MemoryOnlyDevice final : public Device {
 public:
  std::byte* allocate(std::size_t) override { return memory_.data(); }
  void release(std::byte*) noexcept override {}
  void copy_in(std::byte*, const std::byte*, std::size_t) override {}
  void copy_out(std::byte*, const std::byte*, std::size_t) override {}
  void copy(std::byte*, const std::byte*, std::size_t) override {}
  void fill(std::byte*, int, std::size_t) override {}
  void wait() override {}
  void* stream() override { return nullptr; }

 private:
  std::array<std::byte, 4096> memory_{};
};

const auto no_kernels = ThrowsMessage<ArgumentError>(HasSubstr("this Device has no kernels"));

TEST(KernelsOf, AreThoseTheSimulatedDeviceWasGiven) {
  auto kernels = make_simulated_kernels();
  Kernels* const given = kernels.get();
  const auto device = make_simulated_device(std::move(kernels));
  EXPECT_EQ(&kernels_of(*device), given);
}

TEST(KernelsOf, ADeviceThatTheLibraryDidNotMakeIsRefused) {
  MemoryOnlyDevice device;
  EXPECT_THAT([&] { kernels_of(device); }, no_kernels);
  DeviceMemoryPasses passes(device);
  EXPECT_THAT([&] { passes.read({{nullptr, DType::fp32, 0, 8}, {0, 8, 8}}); }, no_kernels);
}

TEST(KernelsOf, ADeviceThatTheLibraryDidNotMakeIsRefusedByPolicyStatistics) {
  run_thread_ranks(1, [](Communicator& world) {
    MemoryOnlyDevice device;
    const auto dp = world.split(0, 0);
    const auto tp = make_host_staged_communicator(world, device);
    EXPECT_THAT(
        [&] {
          DevicePolicyStatistics({world, *dp}, *tp, device, {0, 8, 8}, 8, {});
        },
        no_kernels);
  });
}

}  // namespace
}  // namespace vparity::cuda
