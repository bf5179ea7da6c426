#include "harness/io/atomic_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace vparity::reports {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class AtomicFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return directory_ / name; }

  std::string text_of(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory_), {}));
  }

  std::filesystem::path directory_ = std::filesystem::path(testing::TempDir()) /
                                     testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(AtomicFile, AtomicWriteReplacesTheWholeFileAndLeavesNothingBeside) {
  write_file_atomically(path("report"), "a longer first content");
  write_file_atomically(path("report"), "second");
  EXPECT_EQ(text_of("report"), "second");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicFile, TemporaryFileThatIsNotCommittedLeavesNothing) {
  { const TemporaryFile file(path("report")); }
  EXPECT_EQ(files(), 0U);
}

TEST_F(AtomicFile, AtomicWriteIntoAMissingDirectoryNamesPathAndCause) {
  const auto missing = path("missing/report");
  EXPECT_THAT([&] { write_file_atomically(missing, ""); },
              ThrowsMessage<std::system_error>(
                  testing::AllOf(HasSubstr(missing), HasSubstr("No such file or directory"))));
}

TEST_F(AtomicFile, FailedAtomicWriteKeepsTheOldFile) {
  write_file_atomically(path("report"), "old");
  // A full disk, as a limit on the size of files.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{16, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(write_file_atomically(path("report"), std::string(64, 'x')), std::system_error);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(text_of("report"), "old");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace vparity::reports
