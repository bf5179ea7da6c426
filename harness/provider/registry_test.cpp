#include "harness/provider/registry.h"

#include <gmock/gmock.h>

namespace vparity::harness {
namespace {

TEST(Registry, FindsEveryProviderItNames) {
  for (const std::string_view name : provider_names()) {
    const Provider* provider = find_provider(name);
    ASSERT_NE(provider, nullptr) << name;
    EXPECT_EQ(provider->name(), name);
  }
  EXPECT_THAT(provider_names(), ::testing::Contains("vparity"));
}

TEST(Registry, KnowsNoOther) { EXPECT_EQ(find_provider("vpartiy"), nullptr); }

TEST(Registry, ReproducibleModeIsDeclinedNotFailed) {
  Problem problem;
  EXPECT_EQ(find_provider("vparity")->unsupported(problem), std::nullopt);
  problem.options.mode = Mode::reproducible;
  EXPECT_NE(find_provider("vparity")->unsupported(problem), std::nullopt);
}

}  // namespace
}  // namespace vparity::harness
