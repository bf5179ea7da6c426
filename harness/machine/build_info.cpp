#include "harness/machine/build_info.h"

#include <fmt/format.h>

#include "git_revision.h"

namespace vparity::harness {
namespace {

std::optional<GitState> git_state() {
  const std::string revision = VPARITY_GIT_REVISION;
  if (revision.empty()) return std::nullopt;
  return GitState{revision, VPARITY_GIT_DIRTY};
}

}  // namespace

BuildInfo build_info() {
  return {VPARITY_VERSION, git_state(), VPARITY_BUILD_TYPE, VPARITY_COMPILER, VPARITY_FLAGS};
}

std::string version_text(const BuildInfo& build) {
  if (!build.git) return build.version;
  constexpr std::size_t readable_digits = 12;
  return fmt::format("{} (revision {}{})", build.version,
                     build.git->revision.substr(0, readable_digits),
                     build.git->dirty ? "+changes" : "");
}

}  // namespace vparity::harness
