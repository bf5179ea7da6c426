// Revision and build settings of this program, for `vparity --version` and a report's `provenance`.
#pragma once

#include <optional>
#include <string>

namespace vparity::harness {

struct GitState {
  std::string revision;  ///< 40 hex digits
  bool dirty = false;    ///< tracked files differed from the revision
};

struct BuildInfo {
  std::string version;
  std::optional<GitState> git;  ///< nothing if built outside a git work tree
  std::string type;             ///< CMake's build type, with the sanitizers
  std::string compiler;
  std::string flags;
};

BuildInfo build_info();

/// "0.1.0 (revision 1a2b3c4d5e6f)", with "+changes" after the revision of a dirty tree.
std::string version_text(const BuildInfo& build);

}  // namespace vparity::harness
