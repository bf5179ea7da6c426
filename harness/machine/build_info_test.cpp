#include "harness/machine/build_info.h"

#include <gmock/gmock.h>

namespace vparity::harness {
namespace {

const std::string revision = "0123456789abcdef0123456789abcdef01234567";

TEST(BuildInfo, NamesVersionAndCompiler) {
  EXPECT_THAT(build_info().version, testing::MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
  EXPECT_FALSE(build_info().compiler.empty());
}

TEST(BuildInfo, VersionTextTellsChangedTreesApart) {
  const auto text = [](bool dirty) {
    return version_text({"1.2.3", GitState{revision, dirty}, "", "", ""});
  };
  EXPECT_EQ(text(false), "1.2.3 (revision 0123456789ab)");
  EXPECT_EQ(text(true), "1.2.3 (revision 0123456789ab+changes)");
}

TEST(BuildInfo, VersionTextOfABuildOutsideGitIsTheVersionAlone) {
  EXPECT_EQ(version_text({"1.2.3", std::nullopt, "", "", ""}), "1.2.3");
}

}  // namespace
}  // namespace vparity::harness
