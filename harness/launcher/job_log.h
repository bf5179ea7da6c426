// What a job's ranks and its launcher say on standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/file_descriptor.h"

namespace vparity::harness {

/// Appends to a file up to a limit, so that a rank that never stops talking fills no disk.
class JobLog {
 public:
  static constexpr std::size_t limit_bytes = std::size_t{8} << 20;

  /// Throws std::system_error naming the path.
  explicit JobLog(const std::string& path);

  void append(std::string_view text);

  /// The last lines of this job in one line, joined by " | ", without rulers and control
  /// characters; empty if nothing was said.
  std::string last_lines() const;

 private:
  void keep_tail(std::string_view text);

  reports::FileDescriptor file_;
  std::size_t written_ = 0;
  std::string tail_;
};

}  // namespace vparity::harness
