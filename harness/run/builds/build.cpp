#include "harness/run/builds/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;

/// Both must be in one folder: vparity looks for vparity-worker in its own folder.
constexpr const char* programs[] = {"vparity", "vparity-worker"};

bool same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  if (fs::equivalent(one, other, ignored)) return true;
  std::ifstream a(one, std::ios::binary), b(other, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return a && b && std::equal(Bytes(a), Bytes(), Bytes(b), Bytes());
}

fs::path folder_of(const Build& build) { return build.program.parent_path(); }

}  // namespace

Build build_at(const std::string& option, const std::string& path) {
  const fs::path folder = fs::path(path) / "bin";
  for (const auto* program : programs) {
    if (::access((folder / program).c_str(), X_OK) != 0)
      throw UsageError(
          fmt::format("{}: {} is no program that can be run (a build directory "
                      "has bin/{})",
                      option, (folder / program).string(), program));
  }
  return {path, fs::absolute(folder) / programs[0]};
}

bool same_build(const Build& one, const Build& other) {
  return std::ranges::all_of(programs, [&](const char* program) {
    return same_file(folder_of(one) / program, folder_of(other) / program);
  });
}

}  // namespace vparity::harness
