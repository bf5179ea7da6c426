#include "harness/rank/worker/gpu_libraries.h"

#include <gmock/gmock.h>

#include "harness/machine/gpus.h"

namespace vparity::harness {
namespace {

using testing::MatchesRegex;

TEST(GpuLibraries, AreThoseOfTheBuildAndOfTheDriver) {
  const Gpus gpus = find_gpus();
  const auto libraries = gpu_libraries();
  EXPECT_EQ(libraries.contains("cuda"), gpus.built_with_cuda);
  EXPECT_EQ(libraries.contains("nccl"), gpus.built_with_nccl);
  if (gpus.count > 0) {
    EXPECT_TRUE(libraries.contains("driver"));
  }
  for (const auto& [name, version] : libraries.items())
    EXPECT_THAT(version.get<std::string>(), MatchesRegex("[0-9]+[.][0-9.]+")) << name;
}

}  // namespace
}  // namespace vparity::harness
