// An open file, and the system calls that write it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vparity::reports {

/// Owns an open file. Errors are std::system_error naming the path.
class FileDescriptor {
 public:
  /// open(2) with O_CLOEXEC added; new files get mode 0666 less the umask.
  FileDescriptor(const std::string& path, int flags);
  /// Takes over an open descriptor; `name` stands in errors.
  FileDescriptor(int owned, std::string name);
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close();

  void write(std::string_view bytes);
  /// Does not move the position: several threads may write different parts.
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  void sync();
  void sync_data();
  void truncate(std::size_t length);

 private:
  std::string path_;
  int fd_ = -1;
};

/// Throws the current errno as std::system_error, "cannot ACTION PATH: ...".
[[noreturn]] void throw_errno(std::string_view action, std::string_view path);

}  // namespace vparity::reports
