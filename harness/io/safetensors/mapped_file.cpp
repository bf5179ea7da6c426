#include "harness/io/safetensors/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "harness/io/usage_error.h"

namespace vparity::harness {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw UsageError(fmt::format("{}: {}", path, std::generic_category().message(errno)));
}

std::span<const std::byte> map(const std::string& path, int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) fail(path);
  if (!S_ISREG(status.st_mode)) throw UsageError(fmt::format("{}: not a regular file", path));
  if (status.st_size == 0) return {};  // an empty range cannot be mapped
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0);
  if (data == MAP_FAILED) fail(path);
  return {static_cast<const std::byte*>(data), size};
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  // Non-blocking, so that a named pipe is refused instead of waited for.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) fail(path);
  try {
    bytes_ = map(path, fd);
  } catch (...) {
    close(fd);
    throw;
  }
  close(fd);  // the mapping stays
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace vparity::harness
