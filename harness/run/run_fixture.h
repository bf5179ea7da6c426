// For tests of whole runs, with fake_worker.py in the place of the worker.
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/io/usage_error.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/record/journal.h"
#include "harness/run/record/run_directory.h"
#include "harness/run/record/run_record.h"
#include "harness/run/run.h"
#include "harness/run/terminal/reporter.h"
#include "reports/model/model.h"

namespace vparity::harness {

using reports::Status;
using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;
using Seconds = std::chrono::duration<double>;

// Two groups of two cases each: world sizes 1 and 2.
inline constexpr auto matrix_text = R"({
  "schema": "vparity.matrix/1", "name": "small", "defaults": {"tokens": 2, "seed": 7},
  "sweeps": [{"name": "plain", "measure": ["parity"], "axes": {"tp": [1, 2], "vocab": [8, 9]}}]})";

class Runs : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(directory_);
    write(options_.matrix_files[0], matrix_text);
    setenv("FAKE_START", "ready", 1);
    unsetenv("GITHUB_ACTIONS");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  static void SetUpTestSuite() {
    std::filesystem::remove_all(all_reports());
    std::filesystem::create_directories(all_reports());
  }

  /// Every report of these tests is valid by the published schema, in a validator that is not ours.
  static void TearDownTestSuite() {
    const auto command = std::string(VALIDATE_COMMAND " ") + all_reports().string() + "/*.json";
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::filesystem::remove_all(all_reports());
  }

  static std::filesystem::path all_reports() {
    return std::filesystem::path(testing::TempDir()) / "runs_reports";
  }

  static void write(const std::string& path, std::string_view text) { std::ofstream(path) << text; }

  static std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// The exit code of a run whose jobs' cases go as `cases` says; its output is then in output_.
  int run(const char* cases) {
    setenv("FAKE_CASES", cases, 1);
    testing::internal::CaptureStdout();
    const int code = run_matrices(options_);
    output_ = testing::internal::GetCapturedStdout();
    keep_report();
    return code;
  }

  void keep_report() const {
    const auto kept = std::distance(std::filesystem::directory_iterator(all_reports()), {});
    std::filesystem::copy_file(report_path(), all_reports() / (std::to_string(kept) + ".json"));
  }

  std::filesystem::path report_path() const {
    return std::filesystem::path(options_.out) / "parity.json";
  }

  reports::Report report() const {
    return reports::report_from_json(nlohmann::json::parse(read(report_path())));
  }

  std::vector<Status> statuses() const {
    std::vector<Status> found;
    for (const auto& result : report().cases) found.push_back(result.status);
    return found;
  }

  std::vector<int> attempts() const {
    std::vector<int> found;
    for (const auto& result : report().cases) found.push_back(result.attempts);
    return found;
  }

  std::filesystem::path log_path() const {
    return std::filesystem::path(options_.out) / "logs" / "cpu-threads-1.log";
  }

  std::string last_line() const {
    return output_.substr(output_.rfind('\n', output_.size() - 2) + 1);
  }

  std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("runs_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  RunOptions options_ = [this] {
    RunOptions options;
    options.matrix_files = {directory_ / "small.json"};
    options.out = directory_ / "out";
    options.launcher = LauncherKind::threads;
    options.limits = {Seconds(30), Seconds(30), Seconds(5)};
    options.argv = {"vparity", "run"};
    options.worker = FAKE_WORKER;
    return options;
  }();
  std::string output_;
};

}  // namespace vparity::harness
