// Tests of jobs: shell scripts in the place of the worker, and a check that no process is left.
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/run/launcher/launcher.h"
#include "harness/run/launcher/process_tree.h"

namespace vparity::harness {

using Seconds = std::chrono::duration<double>;

inline constexpr auto ready = R"(echo '{"event":"ready","world":1}')";
inline constexpr auto begin_case = R"(echo '{"event":"case","id":"abc"}')";
inline constexpr auto in_forward = R"(echo '{"event":"phase","id":"abc","phase":"forward"}')";
inline constexpr auto result = R"(echo '{"event":"result","id":"abc","outcome":{}}')";
inline constexpr auto done = R"(echo '{"event":"done"}')";

class LauncherFixture : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override {
    EXPECT_THAT(leftovers_.members(), testing::IsEmpty());
    std::filesystem::remove_all(directory_);
  }

  /// Runs the script's lines as the worker.
  JobOutcome run(const std::vector<std::string>& lines) {
    write_worker(lines);
    return run_job(spec_, [this](const Event& event) { events_.push_back(event.kind); });
  }

  void write_worker(const std::vector<std::string>& lines) { write_script(spec_.worker, lines); }

  static void write_script(const std::string& path, const std::vector<std::string>& lines) {
    std::ofstream script(path);
    script << "#!/bin/sh\n";
    for (const auto& line : lines) script << line << '\n';
    script.close();
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  std::uintmax_t log_size() const { return std::filesystem::file_size(spec_.log_file); }

  ProcessTree leftovers_;  ///< every descendant of the test
  std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("launcher_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  LaunchSpec spec_{.kind = LauncherKind::threads,
                   .launcher_args = {},
                   .ranks = 1,
                   .worker = directory_ / "worker",
                   .job_file = directory_ / "job.json",
                   .log_file = directory_ / "job.log",
                   .limits = {Seconds(20), Seconds(20), Seconds(5)}};
  std::vector<std::string> events_;
};

}  // namespace vparity::harness
