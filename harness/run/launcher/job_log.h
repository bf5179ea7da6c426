// What a job's ranks and its launcher say on standard error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

/// Appends to a file up to a limit, so that a rank that never stops talking fills no disk. What
/// earlier jobs left in the file counts, but some room is left for each.
class JobLog {
 public:
  static constexpr std::size_t limit_bytes = std::size_t{8} << 20;

  /// Throws std::system_error naming the path.
  explicit JobLog(const std::string& path);

  void append(std::string_view text);

  /// The end of what this job said.
  const std::string& tail() const { return tail_; }

 private:
  void keep_tail(std::string_view text);

  reports::FileDescriptor file_;
  std::size_t room_;
  std::string tail_;
};

}  // namespace vparity::harness
