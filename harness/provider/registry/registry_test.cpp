#include "harness/provider/registry/registry.h"

#include <gmock/gmock.h>

#include "harness/io/usage_error.h"

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

TEST(Registry, KnowsTheListThatTheProgramBrings) {
  const Provider* const own[] = {find_provider("plain")};
  use_providers(own);
  EXPECT_THAT(provider_names(), ::testing::ElementsAre("plain"));
  EXPECT_EQ(find_provider("vparity"), nullptr);
  use_providers(shipped_providers());
  EXPECT_NE(find_provider("vparity"), nullptr);
}

TEST(Registry, KnowsNoOther) { EXPECT_EQ(find_provider("vpartiy"), nullptr); }

std::string complaint(std::string_view name) {
  try {
    provider_named(name);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(Registry, KnownBugsAreFoundAndNearButNotListed) {
  EXPECT_EQ(provider_named("known-bug-entropy-sign").name(), "known-bug-entropy-sign");
  EXPECT_EQ(complaint("known-bug-entropy-sing"),
            "\"known-bug-entropy-sing\" is not a known provider (did you mean "
            "known-bug-entropy-sign?)");
  EXPECT_EQ(complaint("cublas"),
            "\"cublas\" is not a known provider (known: vparity, vparity-fused, plain, "
            "three-allreduce, "
            "gather-full-grad)");
}

TEST(Registry, LabelSmoothingInReproducibleModeIsDeclinedNotFailed) {
  Problem problem;
  problem.options.mode = Mode::reproducible;
  EXPECT_EQ(find_provider("vparity")->unsupported(problem), std::nullopt);
  problem.options.label_smoothing = 0.1F;
  EXPECT_NE(find_provider("vparity")->unsupported(problem), std::nullopt);
}

}  // namespace
}  // namespace vparity::harness
