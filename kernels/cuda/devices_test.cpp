#include "cuda/devices.h"

#include <gtest/gtest.h>

namespace vparity::cuda {
namespace {

TEST(CudaDevices, CountingThemNeedsNoDriver) { EXPECT_GE(device_count(), 0); }

}  // namespace
}  // namespace vparity::cuda
