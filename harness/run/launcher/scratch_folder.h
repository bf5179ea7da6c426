// A folder for a job's files that goes with the object.
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
