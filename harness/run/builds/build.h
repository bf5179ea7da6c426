// A build of this program, as the command line names it.
#pragma once

#include <filesystem>
#include <string>

namespace vparity::harness {

struct Build {
  std::string path;  ///< as it was given
  std::filesystem::path program;
};

/// Accepts any directory with bin/vparity and bin/vparity-worker, such as a build directory. Throws
/// UsageError naming `option`.
Build build_at(const std::string& option, const std::string& path);

/// Whether the programs of both builds are identical byte by byte.
bool same_build(const Build& one, const Build& other);

}  // namespace vparity::harness
