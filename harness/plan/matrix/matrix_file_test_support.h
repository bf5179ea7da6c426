// For tests that write files of their own and look at the complaints about them.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "harness/io/usage_error.h"

namespace vparity::harness {

/// A file in a folder of its own, both gone with the object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text) {
    std::string pattern = std::filesystem::temp_directory_path() / "vparity-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    path_ = folder_ / name;
    add(name, text);
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Another file beside it.
  void add(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string path() const { return path_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

/// The UsageError's message, less `prefix` at its beginning; "accepted" if there was none.
inline std::string error_of(const std::function<void()>& action, const std::string& prefix) {
  try {
    action();
  } catch (const UsageError& error) {
    const std::string message = error.what();
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }
  return "accepted";
}

}  // namespace vparity::harness
