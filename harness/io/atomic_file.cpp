#include "harness/io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <random>
#include <utility>

#include "harness/io/file_descriptor.h"

namespace vparity::reports {
namespace {

// The rename itself is only durable once its directory is.
void sync_directory_of(const std::filesystem::path& path) {
  const auto directory = path.has_parent_path() ? path.parent_path() : ".";
  FileDescriptor(directory.string(), O_RDONLY | O_DIRECTORY).sync();
}

}  // namespace

// Two writers of one path are kept apart by chance: in containers that share a disk they may have
// the same process id. The last rename wins.
TemporaryFile::TemporaryFile(std::string final_path)
    : final_path_(std::move(final_path)),
      path_(final_path_ + ".tmp" + std::to_string(std::random_device()())) {
  FileDescriptor(path_, O_WRONLY | O_CREAT | O_TRUNC);
}

TemporaryFile::~TemporaryFile() {
  if (!committed_) ::unlink(path_.c_str());
}

void TemporaryFile::commit() {
  if (std::rename(path_.c_str(), final_path_.c_str()) != 0) throw_errno("rename to", final_path_);
  committed_ = true;
  sync_directory_of(final_path_);
}

void write_file_atomically(const std::string& path, std::string_view content) {
  TemporaryFile temporary(path);
  FileDescriptor file(temporary.path(), O_WRONLY);
  file.write(content);
  file.sync();
  temporary.commit();
}

}  // namespace vparity::reports
