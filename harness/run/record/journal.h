// The journal of a run: JSON Lines, synced line by line, so that a killed run leaves what it did.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/io/file_descriptor.h"

namespace vparity::harness {

class JournalWriter {
 public:
  /// Both throw std::system_error naming the path; among its codes are that the file exists (for a
  /// new one) and `resource_unavailable_try_again`: another process is writing it.
  static JournalWriter create(const std::string& path);
  static JournalWriter reopen(const std::string& path);

  /// Cuts off what stands after `valid_bytes`: the torn line of a killed run, see read_journal.
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

/// A last line without its newline is what a killed run leaves, and is dropped. Throws
/// std::system_error if the file cannot be read, std::runtime_error naming file and line if another
/// line is not JSON.
Journal read_journal(const std::string& path);

}  // namespace vparity::harness
