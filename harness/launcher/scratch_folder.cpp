#include "harness/launcher/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace vparity::harness {

ScratchFolder::ScratchFolder() {
  std::string path = std::filesystem::temp_directory_path() / "vparity-XXXXXX";
  if (mkdtemp(path.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), path);
  path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace vparity::harness
