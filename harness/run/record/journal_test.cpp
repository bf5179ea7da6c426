#include "harness/run/record/journal.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "harness/io/atomic_file.h"

namespace vparity::harness {
namespace {

using testing::Eq;
using testing::HasSubstr;
using testing::Property;
using testing::Throws;
using testing::ThrowsMessage;

class JournalFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return directory_ / name; }

  std::string text_of(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path directory_ = std::filesystem::path(testing::TempDir()) /
                                     testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(JournalFile, JournalGivesBackItsEntriesInOrder) {
  auto journal = JournalWriter::create(path("journal"));
  journal.append({{"event", "first"}});
  journal.append({{"event", "line\nbreak"}});
  const auto read = read_journal(path("journal"));
  ASSERT_EQ(read.entries.size(), 2U);
  EXPECT_EQ(read.entries[1].at("event"), "line\nbreak");
  EXPECT_EQ(read.valid_bytes, text_of("journal").size());
}

TEST_F(JournalFile, TornLastLineOfAJournalIsDroppedAndOverwritten) {
  JournalWriter::create(path("journal")).append({{"event", "whole"}});
  std::ofstream(path("journal"), std::ios::app) << R"({"event":"to)";
  const auto torn = read_journal(path("journal"));
  ASSERT_EQ(torn.entries.size(), 1U);
  auto journal = JournalWriter::reopen(path("journal"));
  journal.truncate(torn.valid_bytes);
  journal.append({{"event", "next"}});
  EXPECT_EQ(text_of("journal"), "{\"event\":\"whole\"}\n{\"event\":\"next\"}\n");
}

auto fails_with(std::errc code) {
  return Throws<std::system_error>(Property(&std::system_error::code, Eq(make_error_code(code))));
}

TEST_F(JournalFile, JournalHasOneWriter) {
  {
    const auto journal = JournalWriter::create(path("journal"));
    EXPECT_THAT([&] { JournalWriter::reopen(path("journal")); },
                fails_with(std::errc::resource_unavailable_try_again));
    EXPECT_THAT([&] { JournalWriter::create(path("journal")); },
                fails_with(std::errc::file_exists));
  }
  EXPECT_NO_THROW(JournalWriter::reopen(path("journal")));
}

TEST_F(JournalFile, DamagedJournalNamesFileAndLine) {
  std::ofstream(path("journal")) << "{}\nnot JSON\n{}\n";
  EXPECT_THAT([&] { read_journal(path("journal")); },
              ThrowsMessage<std::runtime_error>(HasSubstr(path("journal") + ":2")));
}

TEST_F(JournalFile, ZeroBytesOfAJournalEndNoLine) {
  using namespace std::string_literals;
  reports::write_file_atomically(path("journal"), "{}\n{}\0\n"s);
  EXPECT_THAT([&] { read_journal(path("journal")); },
              ThrowsMessage<std::runtime_error>(HasSubstr("journal:2:3: unexpected NUL byte")));
}

// Taking it apart again would take a stack frame per level.
TEST_F(JournalFile, JournalNestedBeyondReasonIsRefused) {
  constexpr std::size_t levels = 1'000'000;
  std::ofstream(path("journal")) << "{}\n{\"a\":" << std::string(levels, '[')
                                 << std::string(levels, ']') << "}\n";
  EXPECT_THAT([&] { read_journal(path("journal")); },
              ThrowsMessage<std::runtime_error>(HasSubstr(path("journal") + ":2: nested deeper")));
}

TEST_F(JournalFile, JournalThatIsNoRegularFileIsNeitherReadNorWaitedFor) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT([&] { JournalWriter::reopen(path("pipe")); },
              fails_with(std::errc::no_such_device_or_address));
  std::filesystem::create_symlink("/dev/zero", path("endless"));
  EXPECT_THAT([&] { read_journal(path("endless")); },
              ThrowsMessage<std::runtime_error>(HasSubstr("not a regular file")));
}

}  // namespace
}  // namespace vparity::harness
