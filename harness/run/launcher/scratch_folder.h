// A temporary folder for a job's files, removed by the destructor.
#pragma once

#include <filesystem>
#include <string>

namespace vparity::harness {

class ScratchFolder {
 public:
  /// In TMPDIR, else /tmp. Throws UsageError naming it.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace vparity::harness
