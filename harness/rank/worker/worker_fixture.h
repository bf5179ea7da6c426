// For tests: runs vparity-worker on a job file, as a launcher would.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/case/axes.h"
#include "harness/case/protocol/protocol.h"

namespace vparity::harness {

struct WorkerRun {
  std::vector<Event> events;
  std::vector<std::string> other_lines;  ///< of standard output; there should be none
  int exit_code = -1;
  std::string log;  ///< standard error

  std::vector<reports::CaseOutcome> outcomes() const {
    std::vector<reports::CaseOutcome> all;
    for (const Event& event : events) {
      if (event.kind == "result")
        all.push_back(reports::outcome_from_json(event.body.at("outcome")));
    }
    return all;
  }
  /// Ids of the cases that have ended.
  std::vector<std::string> ended() const {
    std::vector<std::string> all;
    for (const Event& event : events) {
      if (event.kind == "result") all.push_back(event.body.at("id"));
    }
    return all;
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> all;
    for (const Event& event : events) all.push_back(event.kind);
    return all;
  }
};

class WorkerTest : public ::testing::Test {
 protected:
  WorkerTest() { std::filesystem::create_directories(folder_); }
  ~WorkerTest() override { std::filesystem::remove_all(folder_); }

  static JobCase job_case(const CaseParameters& parameters) {
    const std::string key = case_key(parameters);
    return {case_id(key), key, parameters};
  }

  std::string write_job(const std::string& text) const {
    const auto path = folder_ / "job.json";
    std::ofstream(path) << text;
    return path;
  }
  std::string write_job(const MatrixJob& job) const { return write_job(to_json(job).dump()); }

  /// `launcher`: what stands before the worker's path; `arguments`: what follows it.
  WorkerRun run(const std::string& launcher, const std::string& arguments) const {
    const auto log = folder_ / "log";
    const std::string command =
        launcher + " " VPARITY_WORKER " " + arguments + " 2>" + log.string();
    WorkerRun result;
    std::FILE* output = popen(command.c_str(), "r");
    std::string line;
    for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) {
      if (c != '\n') {
        line += static_cast<char>(c);
        continue;
      }
      const auto event = parse_event(line);
      if (event) result.events.push_back(*event);
      if (!event) result.other_lines.push_back(line);
      line.clear();
    }
    result.exit_code = WEXITSTATUS(pclose(output));
    std::ifstream said(log);
    result.log.assign(std::istreambuf_iterator<char>(said), {});
    return result;
  }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("vparity-worker-test-" + std::to_string(getpid()));
};

}  // namespace vparity::harness
