#include "reports/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "reports/file_descriptor.h"

namespace vparity::reports {
namespace {

// The rename itself is only durable once its directory is.
void sync_directory_of(const std::filesystem::path& path) {
  const auto directory = path.has_parent_path() ? path.parent_path() : ".";
  FileDescriptor(directory.string(), O_RDONLY | O_DIRECTORY).sync();
}

}  // namespace

void write_file_atomically(const std::string& path, std::string_view content) {
  // The process id keeps two writers of one path apart; the last rename wins.
  const std::string temporary = path + ".tmp" + std::to_string(::getpid());
  try {
    FileDescriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(content);
    file.sync();
    if (std::rename(temporary.c_str(), path.c_str()) != 0) throw_errno("rename to", path);
  } catch (...) {
    ::unlink(temporary.c_str());
    throw;
  }
  sync_directory_of(path);
}

}  // namespace vparity::reports
