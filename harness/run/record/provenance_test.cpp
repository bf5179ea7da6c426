#include "harness/run/record/provenance.h"

#include <gtest/gtest.h>

#include "harness/run/record/utc_time.h"

namespace vparity::harness {
namespace {

TEST(UtcTime, IsWrittenForReportsAndForNames) {
  const auto time = std::chrono::sys_days(std::chrono::year(2026) / 9 / 16) +
                    std::chrono::hours(8) + std::chrono::minutes(5) + std::chrono::seconds(3);
  EXPECT_EQ(iso_utc(time), "2026-09-16T08:05:03Z");
  EXPECT_EQ(compact_utc(time), "20260916T080503Z");
  EXPECT_EQ(utc_date(time), "2026-09-16");
}

class Fingerprint : public testing::Test {
 protected:
  static std::string of(const BuildInfo& build, const nlohmann::json& host) {
    RankDescriptions ranks;
    ranks.add({{"host", host}, {"mpi", "Open MPI"}});
    return fingerprint_of(provenance_of(build, ranks), ranks.hosts);
  }

  BuildInfo build_{"0.1.0", GitState{"a", false}, "Release", "GNU 12", "-O3"};
  nlohmann::json host_{{"name", "a"},
                       {"cpu", "c"},
                       {"cores", 2},
                       {"memory_bytes", 1},
                       {"gpus", nlohmann::json::array()},
                       {"environment", nlohmann::json::object()},
                       {"simd", "AVX2"}};
};

TEST_F(Fingerprint, StaysTheSameForAnotherRevisionOnAnotherHostOfTheSameKind) {
  const auto before = of(build_, host_);
  build_.git->revision = "b";
  host_["name"] = "b";
  EXPECT_EQ(of(build_, host_), before);
}

TEST_F(Fingerprint, StaysTheSameWhateverTheOrderOfMembers) {
  RankDescriptions ranks;
  ranks.add({{"host", host_}, {"mpi", "Open MPI"}});
  const auto provenance = provenance_of(build_, ranks);
  EXPECT_EQ(fingerprint_of(nlohmann::json(provenance), nlohmann::json(ranks.hosts)),
            fingerprint_of(provenance, ranks.hosts));
}

TEST_F(Fingerprint, KnowsTheKindOfGpuAndNotWhichOne) {
  const auto gpu = [](const char* name, const char* uuid) {
    return nlohmann::json{{{"name", name}, {"uuid", uuid}, {"memory_bytes", 1}, {"clocks", {}}}};
  };
  const auto none = of(build_, host_);
  host_["gpus"] = gpu("H200", "GPU-1");
  const auto one = of(build_, host_);
  host_["gpus"] = gpu("H200", "GPU-2");
  EXPECT_EQ(of(build_, host_), one);
  host_["gpus"] = gpu("H100", "GPU-2");
  EXPECT_NE(of(build_, host_), one);
  EXPECT_NE(none, one);
}

TEST_F(Fingerprint, HostIsOneWhetherOrNotAJobUsedItsGpus) {
  RankDescriptions ranks;
  ranks.add({{"host", host_}});
  auto with_gpu = host_;
  with_gpu["gpus"] = {{{"name", "H200"}, {"uuid", "GPU-1"}}};
  ranks.add({{"host", with_gpu}, {"libraries", {{"cuda", "13.0"}}}});
  ranks.add({{"host", host_}, {"libraries", nlohmann::json::object()}});
  ASSERT_EQ(ranks.hosts.size(), 1);
  EXPECT_EQ(ranks.hosts[0].at("gpus"), with_gpu.at("gpus"));
  EXPECT_EQ(ranks.libraries, (nlohmann::ordered_json{{"cuda", "13.0"}}));
}

TEST_F(Fingerprint, ChangesWithProcessorEnvironmentAndFlags) {
  const auto before = of(build_, host_);
  auto other = host_;
  other["cpu"] = "d";
  EXPECT_NE(of(build_, other), before);
  other = host_;
  other["environment"]["OMP_NUM_THREADS"] = "1";
  EXPECT_NE(of(build_, other), before);
  build_.flags = "-O2";
  EXPECT_NE(of(build_, host_), before);
}

}  // namespace
}  // namespace vparity::harness
