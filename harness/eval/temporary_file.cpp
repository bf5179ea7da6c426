#include "harness/eval/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "harness/usage_error.h"

namespace vparity::harness {
namespace {

/// A rename outlives a power cut once its directory is on the disk.
void sync_directory_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const int fd = open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

}  // namespace

TemporaryFile::TemporaryFile(std::string final_path)
    : final_path_(std::move(final_path)), path_(fmt::format("{}.{}.part", final_path_, getpid())) {
  if (std::filesystem::is_directory(final_path_))
    throw UsageError(fmt::format("{}: is a directory, must be a file's name", final_path_));
  const int fd = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    throw UsageError(fmt::format("{}: cannot be written: {}", final_path_,
                                 std::generic_category().message(errno)));
  close(fd);
}

TemporaryFile::~TemporaryFile() {
  if (!committed_) unlink(path_.c_str());
}

void TemporaryFile::commit() {
  std::filesystem::rename(path_, final_path_);
  committed_ = true;
  sync_directory_of(final_path_);
}

}  // namespace vparity::harness
