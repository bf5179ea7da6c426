// The devices of this machine, if any; a test that needs a machine with or without devices says so.
#include "vparity/cuda_presence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::MatchesRegex;

TEST(CudaDevicePresence, SaysWhyThereIsNoDeviceAndNothingElse) {
  const DevicePresence present = cuda_device_presence();
  EXPECT_GE(present.count, 0);
  EXPECT_EQ(present.reason.empty(), present.count > 0);
}

TEST(CudaDevicePresence, AMissingDriverIsReportedDifferentlyFromAnOldOne) {
  if (!cuda_versions().driver.empty()) GTEST_SKIP() << "there is a driver";
  EXPECT_EQ(cuda_device_presence().reason, "no NVIDIA driver is installed");
}

TEST(CudaVersions, OfTheRuntimeNeedsNoDriver) {
  EXPECT_THAT(cuda_versions().runtime, MatchesRegex("[0-9]+[.][0-9]+"));
}

TEST(CudaDeviceProperties, ThrowForADeviceThatDoesNotExist) {
  EXPECT_THROW(cuda_device_properties(cuda_device_presence().count), DeviceError);
}

}  // namespace
}  // namespace vparity
