// Cases that are meant by a pattern.
#pragma once

#include <string>

namespace vparity::reports {

/// Whether the glob (fnmatch of POSIX, no flags) matches the case key.
bool glob_matches(const std::string& glob, const std::string& key);

}  // namespace vparity::reports
