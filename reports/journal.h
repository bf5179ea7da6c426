// The journal of a run: JSON Lines, synced line by line, so that a killed run leaves what it did.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/file_descriptor.h"

namespace vparity::reports {

class JournalWriter {
 public:
  /// Appends to `path`, which need not exist; cuts off what stands after `valid_bytes` first (the
  /// torn line of a killed run, see read_journal). Throws std::system_error naming the path.
  explicit JournalWriter(const std::string& path, std::size_t valid_bytes = 0);

  /// One line, on disk when the call returns.
  void append(const nlohmann::ordered_json& entry);

 private:
  FileDescriptor file_;
};

struct Journal {
  std::vector<nlohmann::json> entries;
  std::size_t valid_bytes = 0;  ///< length of the complete lines
};

/// A last line without its newline is what a killed run leaves, and is dropped. Throws
/// std::system_error if the file cannot be read, std::runtime_error naming file and line if another
/// line is not JSON.
Journal read_journal(const std::string& path);

}  // namespace vparity::reports
