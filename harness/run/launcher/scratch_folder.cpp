#include "harness/run/launcher/scratch_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "harness/io/usage_error.h"

namespace vparity::harness {

namespace {

[[noreturn]] void refuse(const std::string& folder, const std::string& why) {
  throw UsageError(
      fmt::format("no scratch folder in {}: {} (set TMPDIR to a folder that can be "
                  "written)",
                  folder, why));
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const char* const chosen = std::getenv("TMPDIR");
  const std::filesystem::path folder = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  std::string path = folder / "vparity-XXXXXX";
  if (mkdtemp(path.data()) == nullptr) refuse(folder, std::strerror(errno));
  path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace vparity::harness
