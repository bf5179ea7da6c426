// Files that are whole or absent, whatever kills the process that writes them.
#pragma once

#include <string>
#include <string_view>

namespace vparity::reports {

/// Writes a temporary file beside `path`, syncs it, renames it to `path`, syncs the directory.
/// Throws std::system_error naming the path; `path` then is what it was before.
void write_file_atomically(const std::string& path, std::string_view content);

}  // namespace vparity::reports
