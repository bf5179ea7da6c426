// The folder of a run's files (docs/report-files.md).
#pragma once

#include <filesystem>
#include <string>

namespace vparity::harness {

class RunDirectory {
 public:
  /// Makes the folder and its logs/. Throws UsageError if it holds anything and this is no resumed
  /// run, if a resumed run finds no journal there, or if it cannot be made.
  RunDirectory(const std::string& path, bool resume);

  const std::filesystem::path& path() const { return path_; }
  std::string journal() const { return path_ / "journal.jsonl"; }
  std::string parity_report() const { return path_ / "parity.json"; }
  /// Of one group of cases.
  std::string job_file(const std::string& group) const {
    return path_ / "logs" / (group + ".json");
  }
  std::string log_file(const std::string& group) const { return path_ / "logs" / (group + ".log"); }

 private:
  std::filesystem::path path_;  ///< as given: messages repeat it
};

}  // namespace vparity::harness
