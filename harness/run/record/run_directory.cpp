#include "harness/run/record/run_directory.h"

#include <fmt/format.h>

#include <system_error>

#include "harness/io/usage_error.h"
#include "harness/run/outputs/output_folder.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;

void refuse_if_unused(const fs::path& journal) {
  if (!fs::exists(journal)) {
    throw UsageError(fmt::format("--resume: there is no {}", journal.string()));
  }
}

}  // namespace

RunDirectory::RunDirectory(const std::string& path, bool resume) : path_(path) {
  try {
    if (resume) {
      refuse_if_unused(journal());
    } else {
      make_empty_folder(path_, "; take another, or go on with that run by --resume");
    }
    fs::create_directories(path_ / "logs");
  } catch (const fs::filesystem_error& error) {
    throw UsageError(fmt::format("--out: {}: {}", path, error.code().message()));
  }
}

}  // namespace vparity::harness
