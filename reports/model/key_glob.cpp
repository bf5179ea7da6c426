#include "reports/model/key_glob.h"

#include <fnmatch.h>

namespace vparity::reports {

bool glob_matches(const std::string& glob, const std::string& key) {
  return ::fnmatch(glob.c_str(), key.c_str(), 0) == 0;
}

}  // namespace vparity::reports
