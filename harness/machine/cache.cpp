#include "harness/machine/cache.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

namespace vparity::harness {
namespace {

/// The first word of a file; empty if there is none.
std::string word_of(const std::filesystem::path& file) {
  std::string word;
  std::ifstream(file) >> word;
  return word;
}

struct Cache {
  int level = 0;
  std::int64_t bytes = 0;
};

/// "32768K"; the kernel writes no other unit, but a plain number would be bytes.
std::int64_t bytes_of(const std::string& size) {
  const std::int64_t number = std::atoll(size.c_str());
  if (size.ends_with('K')) return number << 10;
  if (size.ends_with('M')) return number << 20;
  return number;
}

Cache last_level_of(const std::filesystem::path& cpu_caches) {
  Cache last;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(cpu_caches, missing)) {
    if (word_of(entry.path() / "type") == "Instruction") continue;
    const Cache cache{std::atoi(word_of(entry.path() / "level").c_str()),
                      bytes_of(word_of(entry.path() / "size"))};
    if (cache.level > last.level && cache.bytes > 0) last = cache;
  }
  return last;
}

/// -1 or 0 where the C library does not know.
std::int64_t by_sysconf() {
  for (const int name : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    if (const std::int64_t bytes = sysconf(name); bytes > 0) return bytes;
  }
  return 0;
}

}  // namespace

std::int64_t last_level_cache_bytes(const std::filesystem::path& cpu_caches) {
  const Cache last = last_level_of(cpu_caches);
  return last.bytes > 0 ? last.bytes : by_sysconf();
}

}  // namespace vparity::harness
