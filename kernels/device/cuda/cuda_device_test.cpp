// A device that does not exist. cuda_device_gpu_test.cpp tests real ones.
#include "vparity/cuda_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vparity/cuda_presence.h"
#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(CudaDevice, WithoutADeviceItThrowsTheDriversReason) {
  if (cuda_device_presence().count > 0) GTEST_SKIP() << "there is a device";
  const auto says_why =
      ThrowsMessage<DeviceError>(HasSubstr("no CUDA device: " + cuda_device_presence().reason));
  EXPECT_THAT([] { make_cuda_device(0); }, says_why);
  EXPECT_THAT([] { make_cuda_device(0, nullptr); }, says_why);
}

TEST(CudaDevice, AnIndexOutOfRangeIsRefused) {
  EXPECT_THROW(make_cuda_device(-1), DeviceError);
  EXPECT_THROW(make_cuda_device(cuda_device_presence().count), DeviceError);
}

}  // namespace
}  // namespace vparity
