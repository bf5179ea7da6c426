#include "harness/machine/gpus.h"

#include <gmock/gmock.h>

namespace vparity::harness {
namespace {

TEST(Gpus, AreThereOrTheirAbsenceHasAReason) {
  const Gpus gpus = find_gpus();
  EXPECT_EQ(gpus.reason.empty(), gpus.count > 0);
  EXPECT_EQ(describe_gpus().size(), gpus.count);
  if (!gpus.built_with_cuda) {
    EXPECT_EQ(gpus.reason, "this build has no CUDA");
  }
}

TEST(Gpus, RuntimeIsThatOfTheBuildAndTheDriversVersionNeedsADriver) {
  const auto libraries = cuda_libraries();
  EXPECT_EQ(libraries.at("runtime").is_string(), find_gpus().built_with_cuda);
  if (find_gpus().count > 0) {
    EXPECT_TRUE(libraries.at("driver").is_string());
  }
}

TEST(Gpus, AreDescribedAsAReportWantsThem) {
  for (const auto& gpu : describe_gpus()) {
    EXPECT_FALSE(gpu.at("name").get<std::string>().empty());
    EXPECT_TRUE(gpu.at("uuid").get<std::string>().starts_with("GPU-"));
    EXPECT_GT(gpu.at("memory_bytes").get<std::int64_t>(), 0);
    EXPECT_GT(gpu.at("clocks").at("core_mhz").get<int>(), 0);
  }
}

}  // namespace
}  // namespace vparity::harness
