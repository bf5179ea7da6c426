#include "harness/run/run_directory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "harness/usage_error.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;

void refuse_if_used(const fs::path& path) {
  if (fs::exists(path) && !(fs::is_directory(path) && fs::is_empty(path))) {
    throw UsageError(fmt::format(
        "--out: {} is not an empty directory; take another, or go on with that run by --resume",
        path.string()));
  }
}

void refuse_if_unused(const fs::path& journal) {
  if (!fs::exists(journal)) {
    throw UsageError(fmt::format("--resume: there is no {}", journal.string()));
  }
}

}  // namespace

void make_output_folder(const char* option, const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && ::access(path.c_str(), W_OK | X_OK) != 0) error = {errno, std::generic_category()};
  if (error) throw UsageError(fmt::format("{}: {}: {}", option, path, error.message()));
}

std::string make_unused_folder(const std::string& wanted) {
  const fs::path parent = fs::path(wanted).parent_path();
  if (!parent.empty()) make_output_folder("--out", parent);
  std::error_code error;
  std::string path = wanted;
  for (int n = 2; !fs::create_directory(path, error) && !error; ++n)
    path = fmt::format("{}-{}", wanted, n);
  if (error) throw UsageError(fmt::format("--out: {}: {}", path, error.message()));
  return path;
}

RunDirectory::RunDirectory(const std::string& path, bool resume) : path_(path) {
  try {
    if (resume) {
      refuse_if_unused(journal());
    } else {
      refuse_if_used(path_);
    }
    fs::create_directories(path_ / "logs");
  } catch (const fs::filesystem_error& error) {
    throw UsageError(fmt::format("--out: {}: {}", path, error.code().message()));
  }
}

}  // namespace vparity::harness
