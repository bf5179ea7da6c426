#include "device/cuda/cuda_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "vparity/errors.h"

namespace vparity {
namespace {

using ::testing::MatchesRegex;
using ::testing::ThrowsMessage;

TEST(CudaCheck, NamesCallTextFileAndLine) {
  EXPECT_THAT([] { VPARITY_CUDA_CHECK(cudaErrorInvalidValue); },
              ThrowsMessage<DeviceError>(
                  MatchesRegex(".*cuda_check_test.cpp:[0-9]+: cudaErrorInvalidValue failed: "
                               "cudaErrorInvalidValue: invalid argument")));
}

TEST(CudaCheck, InADestructorTheLineIsWrittenToStandardError) {
  ::testing::internal::CaptureStderr();
  VPARITY_CUDA_LOG(cudaSuccess);
  VPARITY_CUDA_LOG(cudaErrorInvalidValue);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              MatchesRegex(".*cuda_check_test.cpp:[0-9]+: .*: invalid argument\n"));
}

}  // namespace
}  // namespace vparity
