// The journal of a run: JSON Lines, synced line by line, so that a killed run leaves what it did.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

class JournalWriter {
 public:
  /// Both throw std::system_error naming the path. Code `file_exists`: `create` found a file. Code
  /// `resource_unavailable_try_again`: another process is writing the journal.
  static JournalWriter create(const std::string& path);
  static JournalWriter reopen(const std::string& path);

  /// Removes everything after `valid_bytes`: the incomplete line of a killed run (read_journal).
  void truncate(std::size_t valid_bytes) { file_.truncate(valid_bytes); }

  /// One line, on disk when the call returns.
  void append(const nlohmann::ordered_json& entry);

 private:
  JournalWriter(const std::string& path, int flags);

  reports::FileDescriptor file_;  ///< locked: one writer at a time
};

struct Journal {
  std::vector<nlohmann::json> entries;
  std::size_t valid_bytes = 0;  ///< length of the complete lines
};

/// Drops a last line without newline, which a killed run leaves. Throws std::system_error if the
/// file cannot be read, std::runtime_error naming file and line if a line is not JSON.
Journal read_journal(const std::string& path);

}  // namespace vparity::harness
