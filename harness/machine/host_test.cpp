#include "harness/machine/host.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <thread>

namespace vparity::harness {
namespace {

TEST(Host, NamesCoresAndMemoryOfThisMachine) {
  const auto host = describe_host();
  EXPECT_FALSE(host.at("name").get<std::string>().empty());
  EXPECT_GE(host.at("cores").get<int>(), 1);
  EXPECT_LE(host.at("cores").get<unsigned>(), std::thread::hardware_concurrency());
  EXPECT_GT(host.at("memory_bytes").get<std::int64_t>(), std::int64_t{1} << 26);
}

TEST(Host, EnvironmentIsRecordedByAllowListOnly) {
  setenv("OMP_NUM_THREADS", "3", 1);
  setenv("SOME_TOKEN", "secret", 1);
  const auto environment = describe_host().at("environment");
  EXPECT_EQ(environment.at("OMP_NUM_THREADS"), "3");
  EXPECT_FALSE(environment.contains("SOME_TOKEN"));
}

}  // namespace
}  // namespace vparity::harness
