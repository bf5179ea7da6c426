#include "harness/commands/run/run_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

namespace vparity::harness {
namespace {

/// Another build that runs the same cases, the anchor of a night, gets these.
const std::set<std::string> for_every_build{
    "--filter",    "--case", "--shard",    "--max-ranks",    "--provider", "--backend",
    "--transport", "--seed", "--launcher", "--launcher-arg", "--timeout",  "--launch-timeout"};
/// Not these: what is measured, where it is written to, and what is a failure.
const std::set<std::string> for_this_build{"MATRIX",
                                           "--only",
                                           "--out",
                                           "--resume",
                                           "--max-failures",
                                           "--save-failing",
                                           "--known-failures",
                                           "--strict-skips",
                                           "--require-device",
                                           "-q",
                                           "-v"};

TEST(RunOptions, EachIsForEveryBuildOrForThisOneOnPurpose) {
  CLI::App app;
  Command command(app);
  RunOptions options;
  add_run_options(command, options);
  const auto marked = command.case_option_names();
  EXPECT_EQ(std::set(marked.begin(), marked.end()), for_every_build);
  auto all = for_every_build;
  all.insert(for_this_build.begin(), for_this_build.end());
  const auto names = command.option_names();
  EXPECT_EQ(std::set(names.begin(), names.end()), all)
      << "a new option has to stand in one of the two lists above";
}

}  // namespace
}  // namespace vparity::harness
