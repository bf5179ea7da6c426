// The main of the test programs that need a device (vparity_gpu_test). Without a device the program
// prints the reason and is skipped (exit code 77), or fails if the environment has
// VPARITY_REQUIRE_DEVICE.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>

#include "vparity/cuda_presence.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  const vparity::DevicePresence present = vparity::cuda_device_presence();
  if (present.count > 0) return RUN_ALL_TESTS();
  const bool required = std::getenv("VPARITY_REQUIRE_DEVICE") != nullptr;
  std::printf("%s: no CUDA device: %s\n", required ? "failed" : "skipped", present.reason.c_str());
  constexpr int skipped = 77;
  return required ? EXIT_FAILURE : skipped;
}
