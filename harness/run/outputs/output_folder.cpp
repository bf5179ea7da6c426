#include "harness/run/outputs/output_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;

/// A path that is not a folder counts as used.
bool is_used(const fs::path& path) {
  return fs::exists(path) && !(fs::is_directory(path) && fs::is_empty(path));
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const auto inner = fs::weakly_canonical(file), outer = fs::weakly_canonical(folder);
  return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

}  // namespace

void refuse_to_replace(const char* option, const fs::path& file,
                       const std::vector<fs::path>& inputs) {
  const auto refuse = [&](std::string_view why) {
    throw UsageError(fmt::format("{}: {} {}", option, file.string(), why));
  };
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) refuse("is a directory");
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored))
    refuse("is not a regular file");
  for (const auto& input : inputs) {
    if (fs::equivalent(file, input, ignored)) refuse("is an input file");
    if (fs::is_directory(input, ignored) && lies_in(file, input))
      refuse(fmt::format("stands in {}, which is read", input.string()));
  }
}

void make_output_folder(const char* option, const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error && ::access(path.c_str(), W_OK | X_OK) != 0) error = {errno, std::generic_category()};
  if (error) throw UsageError(fmt::format("{}: {}: {}", option, path, error.message()));
}

void make_empty_folder(const fs::path& path, std::string_view advice) {
  try {
    if (is_used(path))
      throw UsageError(fmt::format("--out: {} is not an empty directory{}", path.string(), advice));
  } catch (const fs::filesystem_error& error) {
    throw UsageError(fmt::format("--out: {}: {}", path.string(), error.code().message()));
  }
  make_output_folder("--out", path);
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

}  // namespace vparity::harness
