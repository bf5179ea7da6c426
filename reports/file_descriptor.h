// The system calls that the report files are written with.
#pragma once

#include <string>
#include <string_view>

namespace vparity::reports {

/// Owns an open file. Errors are std::system_error naming the path.
class FileDescriptor {
 public:
  /// open(2) with O_CLOEXEC added; new files get mode 0666 less the umask.
  FileDescriptor(const std::string& path, int flags);
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  void write(std::string_view bytes);
  void sync();
  void sync_data();
  void truncate(std::size_t length);

 private:
  void close_now();

  std::string path_;
  int fd_ = -1;
};

/// Throws the current errno as std::system_error, "cannot ACTION PATH: ...".
[[noreturn]] void throw_errno(std::string_view action, std::string_view path);

}  // namespace vparity::reports
