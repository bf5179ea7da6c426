// Lines out of a stream that comes in pieces.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace vparity::harness {

class LineSplitter {
 public:
  /// A stream without newlines is cut here.
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  /// Calls `on_line` for every line that is complete now, without its newline.
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

}  // namespace vparity::harness
