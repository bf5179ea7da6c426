#include "harness/commands/ab/ab.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "harness/case/axes.h"
#include "harness/io/atomic_file.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "harness/run/builds/fresh_process.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/output_folder.h"
#include "harness/run/outputs/report_reader.h"
#include "harness/run/record/utc_time.h"
#include "reports/comparison/comparison_text.h"
#include "reports/model/json_text.h"
#include "reports/statistics/median.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;
using reports::ComparedRun;
using reports::Comparison;

std::string folder_for(const AbOptions& options) {
  if (!options.out.empty()) {
    make_empty_folder(options.out);
    return options.out;
  }
  return make_unused_folder(
      fmt::format("vparity-out/ab-{}", compact_utc(std::chrono::system_clock::now())));
}

std::string last_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) last = line;
  return last;
}

/// The processes of both builds and the comparison of their runs.
class Experiment {
 public:
  explicit Experiment(const AbOptions& options)
      : options_(options),
        same_build_(same_build(options.base, options.head)),
        folder_(folder_for(options)) {}

  int run() {
    while (signal_ == 0 && pairs() < options_.max_pairs) {
      run_pairs(std::min(options_.max_pairs, pairs() + options_.pairs));
      if (signal_ != 0 || pairs() == 0) break;
      comparison_ = compare();
      if (comparison_.count("inconclusive") == 0) break;
    }
    if (pairs() > 0) write_and_print();
    if (signal_ != 0) return interrupted();
    return exit_code();
  }

 private:
  int pairs() const { return static_cast<int>(head_.size()); }

  void run_pairs(int until) {
    while (signal_ == 0 && pairs() < until) run_pair(pairs() + 1, until);
  }

  /// Keeps the pair only if both processes ended by themselves.
  void run_pair(int number, int until) {
    const bool base_first = number % 2 == 1;
    std::vector<ComparedRun> pair;
    for (const bool base : {base_first, !base_first}) {
      print_error_line(
          fmt::format("vparity ab: pair {} of {}: {}", number, until, base ? "base" : "head"));
      if (!run_side(
              base,
              fs::path(folder_) / fmt::format("pair-{:02}-{}", number, base ? "base" : "head"),
              pair))
        return;
    }
    base_.push_back(std::move(pair[base_first ? 0 : 1]));
    head_.push_back(std::move(pair[base_first ? 1 : 0]));
  }

  /// False after a signal.
  bool run_side(bool base, const fs::path& out, std::vector<ComparedRun>& pair) {
    const Build& build = base ? options_.base : options_.head;
    std::vector<std::string> arguments{build.program, "run", "--only=throughput",
                                       "--out=" + out.string()};
    arguments.insert(arguments.end(), options_.run_arguments.begin(), options_.run_arguments.end());
    const fs::path log = out.string() + ".txt";
    const auto end = run_to_its_end(arguments, log, interrupts_);
    signal_ = end.signal;
    if (signal_ != 0) return false;
    judge_end(end.exit_code, build, log);
    pair.push_back({out, report_of(out, log)});
    return true;
  }

  static reports::Report report_of(const fs::path& out, const fs::path& log) {
    try {
      return read_report(out);
    } catch (const UsageError& error) {  // not the user's error: the report is ours
      throw std::runtime_error(
          fmt::format("ab: {}; its last message: {}", error.what(), last_line(log)));
    }
  }

  void judge_end(int code, const Build& build, const fs::path& log) {
    if (code == reports::exit_usage)
      throw UsageError(fmt::format("ab: {}: {}", build.path, last_line(log)));
    if (code == reports::exit_timeout || code == reports::exit_infrastructure)
      ends_.push_back(static_cast<reports::ExitCode>(code));
    if (reports::is_by_signal(code))
      throw std::runtime_error(
          fmt::format("ab: {} ended with {}: {}", build.program.string(), code, last_line(log)));
  }

  Comparison compare() {
    const int looks = (options_.max_pairs + options_.pairs - 1) / options_.pairs;
    auto comparison = compare_runs(base_, head_,
                                   {.criteria = {.confidence = options_.confidence,
                                                 .threshold = options_.threshold,
                                                 .looks = looks},
                                    .across_builds = true});
    if (same_build_) comparison.notes.push_back(false_alarms(comparison));
    return comparison;
  }

  /// A build against itself shows how far the experiment can be trusted.
  static std::string false_alarms(const Comparison& comparison) {
    std::vector<double> detectable;
    for (const auto& one : comparison.throughput)
      if (one.change) detectable.push_back(one.change->detectable);
    std::ranges::sort(detectable);
    const auto alarms = comparison.count("regressed") + comparison.count("improved");
    auto text = fmt::format("base and head are the same build: {} false alarms in {} cases", alarms,
                            detectable.size());
    if (!detectable.empty())
      text += fmt::format(
          "; the smallest change that would have been found in 95 of 100: {:.2f} % (median case), "
          "{:.2f} % (worst case)",
          100 * reports::median(detectable), 100 * detectable.back());
    return text;
  }

  void write_and_print() {
    if (signal_ != 0) {
      comparison_ = compare();
      comparison_.notes.push_back(fmt::format("interrupted ({}) after {} of {} pairs",
                                              strsignal(signal_), pairs(), options_.max_pairs));
    }
    const auto document = reports::json_document(to_json(comparison_));
    const auto file = fs::path(folder_) / "comparison.json";
    reports::write_file_atomically(file, document);
    if (!options_.json.empty()) reports::write_file_atomically(options_.json, document);
    print_line(fmt::format("comparison: {}", file.string()));
    if (reports::has_viewer()) {
      const auto page = fs::path(folder_) / "report.html";
      write_comparison_page(comparison_, base_, head_, page);
      print_line(fmt::format("comparison: {}", page.string()));
    }
    print_out(comparison_text(comparison_, case_key(CaseParameters{}), options_.all));
  }

  int interrupted() const {
    print_error_line(
        fmt::format("vparity ab: {}; {} pairs are complete", strsignal(signal_), pairs()));
    return reports::exit_by_signal(signal_);
  }

  int exit_code() const {
    auto applicable = ends_;
    applicable.push_back(reports::exit_code(comparison_));
    return reports::first_in_precedence(applicable);
  }

  const AbOptions& options_;
  SignalQueue interrupts_{SIGINT, SIGTERM, SIGHUP};
  bool same_build_;
  std::string folder_;
  std::vector<ComparedRun> base_, head_;
  Comparison comparison_;
  std::vector<reports::ExitCode> ends_;  ///< of processes that ended with 3 or 4
  int signal_ = 0;
};

}  // namespace

int run_ab(const AbOptions& options) { return Experiment(options).run(); }

}  // namespace vparity::harness
