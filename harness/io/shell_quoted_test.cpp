#include "harness/io/shell_quoted.h"

#include <gtest/gtest.h>

namespace vparity::harness {
namespace {

TEST(ShellQuoted, LeavesPlainWordsAlone) {
  EXPECT_EQ(shell_quoted("a/b-c_1.json"), "a/b-c_1.json");
}

TEST(ShellQuoted, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("$x"), "'$x'");
}

}  // namespace
}  // namespace vparity::harness
