// The output of a job's ranks and launcher: its lines, and the log of standard error.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

/// Splits a stream that arrives in pieces into lines.
class LineSplitter {
 public:
  /// A longer line is cut here.
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  /// Calls `on_line` for every complete line, without its newline.
  void feed(std::string_view bytes, const std::function<void(const std::string&)>& on_line) {
    for (const char c : bytes) {
      if (c != '\n') line_.push_back(c);
      if (c != '\n' && line_.size() < longest_line) continue;
      on_line(line_);
      line_.clear();
    }
  }

 private:
  std::string line_;
};

/// Appends to a file up to a limit, so that a rank that prints without end cannot fill the disk.
/// The output of earlier jobs in the file counts, but each job may still write a little.
class JobLog {
 public:
  static constexpr std::size_t limit_bytes = std::size_t{8} << 20;

  /// Throws std::system_error naming the path.
  explicit JobLog(const std::string& path);

  void append(std::string_view text);

  /// The end of this job's log.
  const std::string& tail() const { return tail_; }

 private:
  void keep_tail(std::string_view text);

  reports::FileDescriptor file_;
  std::size_t room_;
  std::string tail_;
};

}  // namespace vparity::harness
