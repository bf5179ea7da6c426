// Whole selftests of a few providers, on real ranks.
#include "harness/commands/selftest/selftest.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reports/model/model.h"

namespace vparity::harness {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;

constexpr auto few_cases = "*,mode=fast,*,tokens=5,tp=2,*,vocab=3,*";

class Selftests : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    options_.launcher = LauncherKind::threads;
    options_.worker = VPARITY_WORKER;
    options_.out = folder_;
    options_.argv = {"vparity", "selftest"};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  int run(const Catalogue& catalogue) {
    testing::internal::CaptureStdout();
    const int code = run_selftest(options_, false, catalogue);
    output_ = testing::internal::GetCapturedStdout();
    return code;
  }

  reports::Report report() const {
    std::ifstream file(folder_ / "parity.json");
    return reports::report_from_json(nlohmann::json::parse(file));
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("selftest_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  RunOptions options_;
  std::string output_;
};

TEST_F(Selftests, BugsAreCaught) {
  EXPECT_EQ(run({{"known-bug-entropy-sign", few_cases}, {"known-bug-empty-kernel", few_cases}}), 0);
  EXPECT_THAT(output_, ContainsRegex("\nvparity +passed +0/2\n"));
  EXPECT_THAT(output_, ContainsRegex("\nplain +passed +0/2\n"));
  EXPECT_THAT(output_, ContainsRegex("\nknown-bug-entropy-sign +caught +2/2 .* entropy\n"));
  EXPECT_THAT(output_, EndsWith("\n2 of 2 caught\n"));
}

TEST_F(Selftests, RightKernelsInABugPlaceAreMissed) {
  EXPECT_EQ(run({{"known-bug-entropy-sign", few_cases}, {"plain", few_cases}}), 1);
  EXPECT_THAT(output_, ContainsRegex("\nplain +missed +0/2\n"));
  EXPECT_THAT(output_, EndsWith("\n1 of 2 caught\n"));
}

TEST_F(Selftests, RanksThatDoNotStartCatchNothing) {
  options_.worker = "/bin/false";
  EXPECT_EQ(run({{"known-bug-entropy-sign", few_cases}}), 3);
  EXPECT_THAT(output_, ContainsRegex("\nknown-bug-entropy-sign +undecided +0/2\n"));
  EXPECT_THAT(output_, HasSubstr("more of known-bug-entropy-sign)\n"));
  EXPECT_THAT(output_, EndsWith("\n0 of 1 caught\n"));
}

TEST_F(Selftests, TheReportRepeatsACaseWithItsProvider) {
  run({{"known-bug-entropy-sign", few_cases}});
  const auto result = report().cases.back();
  EXPECT_EQ(result.params.at("provider"), "known-bug-entropy-sign");
  EXPECT_THAT(result.repeat, HasSubstr((folder_ / "matrices/ci.json").string()));
  EXPECT_THAT(result.repeat,
              HasSubstr("--case " + result.id + " --provider known-bug-entropy-sign"));
}

}  // namespace
}  // namespace vparity::harness
