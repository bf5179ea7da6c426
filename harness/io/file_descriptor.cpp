#include "harness/io/file_descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace vparity::reports {

void throw_errno(std::string_view action, std::string_view path) {
  const int error = errno;
  throw std::system_error(error, std::generic_category(),
                          std::string("cannot ").append(action).append(" ").append(path));
}

FileDescriptor::FileDescriptor(const std::string& path, int flags)
    : path_(path), fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (fd_ < 0) throw_errno("open", path_);
}

FileDescriptor::FileDescriptor(int owned, std::string name) : path_(std::move(name)), fd_(owned) {}

FileDescriptor::~FileDescriptor() { close(); }

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    path_ = std::move(other.path_);
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void FileDescriptor::close() {
  if (is_open()) ::close(std::exchange(fd_, -1));
}

void FileDescriptor::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("write", path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void FileDescriptor::write_at(std::int64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_errno("write", path_);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += written;
  }
}

void FileDescriptor::sync() {
  if (::fsync(fd_) != 0) throw_errno("sync", path_);
}

void FileDescriptor::sync_data() {
  if (::fdatasync(fd_) != 0) throw_errno("sync", path_);
}

void FileDescriptor::truncate(std::size_t length) {
  if (::ftruncate(fd_, static_cast<off_t>(length)) != 0) throw_errno("truncate", path_);
}

}  // namespace vparity::reports
