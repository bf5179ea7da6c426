#include "harness/machine/cache.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;

/// A folder as the kernel shows a processor's caches.
class CacheFolder : public testing::Test {
 protected:
  ~CacheFolder() override { fs::remove_all(folder_); }

  void add(const std::string& index, int level, const std::string& type, const std::string& size) {
    const fs::path cache = folder_ / index;
    fs::create_directories(cache);
    std::ofstream(cache / "level") << level << "\n";
    std::ofstream(cache / "type") << type << "\n";
    if (!size.empty()) std::ofstream(cache / "size") << size << "\n";
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("vparity-caches-" + std::to_string(getpid()));
};

TEST_F(CacheFolder, LastLevelThatHoldsDataCounts) {
  add("index0", 1, "Data", "32K");
  add("index1", 1, "Instruction", "64K");
  add("index2", 2, "Unified", "1024K");
  EXPECT_EQ(last_level_cache_bytes(folder_), std::int64_t{1} << 20);
  add("index3", 3, "Unified", "32768K");
  EXPECT_EQ(last_level_cache_bytes(folder_), std::int64_t{32} << 20);
}

TEST_F(CacheFolder, LevelWithoutASizeIsNoCache) {
  add("index0", 1, "Data", "48K");
  add("index3", 3, "Unified", "");
  EXPECT_EQ(last_level_cache_bytes(folder_), 48 * 1024);
}

TEST_F(CacheFolder, MissingFolderFallsBackToTheLibraryAndNeverBelowZero) {
  EXPECT_GE(last_level_cache_bytes(folder_), 0);
}

}  // namespace
}  // namespace vparity::harness
