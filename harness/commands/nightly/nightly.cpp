#include "harness/commands/nightly/nightly.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "harness/case/axes.h"
#include "harness/commands/history/accepted_changes_file.h"
#include "harness/commands/history/store.h"
#include "harness/io/atomic_file.h"
#include "harness/io/standard_output.h"
#include "harness/io/usage_error.h"
#include "harness/run/builds/fresh_process.h"
#include "harness/run/outputs/output_files.h"
#include "harness/run/outputs/report_reader.h"
#include "harness/run/record/utc_time.h"
#include "harness/run/run.h"
#include "reports/history/alarms_text.h"
#include "reports/model/json_text.h"

namespace vparity::harness {
namespace {

namespace fs = std::filesystem;
using reports::Report;

/// Refuses, before the run, a history that could not be read after it.
void require_readable(const fs::path& history) {
  std::error_code ignored;
  if (fs::exists(history, ignored) && !fs::is_empty(history, ignored)) read_history(history);
}

/// Of a run that has just ended: if it cannot be read, that is not the user's error.
Report report_of(const fs::path& run) {
  try {
    return read_report(run);
  } catch (const UsageError& error) {
    throw std::runtime_error(error.what());
  }
}

bool was_timed(const Report& report) {
  return std::ranges::any_of(report.cases,
                             [](const reports::CaseResult& result) { return result.was_timed(); });
}

/// One night, from its run to its verdict.
class NightlyJob {
 public:
  explicit NightlyJob(const NightlyOptions& options)
      : options_(options),
        out_(options.run.out.empty() ? fmt::format("vparity-out/nightly-{}",
                                                   compact_utc(std::chrono::system_clock::now()))
                                     : options.run.out) {
    require_readable(options.history);
    if (!options.accepted.empty()) accepted_ = read_accepted_changes(options.accepted);
  }

  int pass() {
    const auto run_code = static_cast<reports::ExitCode>(run());
    if (run_code == reports::exit_usage) return run_code;
    if (reports::is_by_signal(run_code)) return not_added(run_code);
    const auto report = report_of(out_);
    const auto anchor = anchor_beside(report);
    if (const auto signal = stopped()) return not_added(reports::exit_by_signal(*signal));
    add_night(options_.history, reports::night_of(report, anchor ? &*anchor : nullptr));
    const auto check_code = check(report);
    if (check_code == reports::exit_nothing_ran) return run_code;  // the history is too short
    return reports::first_in_precedence({run_code, check_code});
  }

 private:
  int run() const {
    auto run = options_.run;
    run.out = out_;
    return run_matrices(run);
  }

  /// The last signal that came.
  std::optional<int> stopped() {
    while (const auto signal = interrupts_.take()) signal_ = signal;
    return signal_;
  }

  int not_added(reports::ExitCode code) const {
    print_error_line(fmt::format(
        "vparity nightly: {}; {} is not added to {}; to continue, give the same command "
        "--resume --out {}",
        strsignal(reports::signal_of(code)), out_.string(), options_.history, out_.string()));
    return code;
  }

  std::optional<Report> anchor_beside(const Report& report) {
    if (!options_.anchor || stopped()) return {};
    if (!was_timed(report)) {
      print_line("anchor: not run, because no case of this night was timed");
      return {};
    }
    const auto folder = out_ / "anchor", log = out_ / "anchor.txt";
    print_line(fmt::format("anchor: {}", folder.string()));
    std::vector<std::string> arguments{options_.anchor->program, "run", "--only=throughput",
                                       "--out=" + folder.string()};
    arguments.insert(arguments.end(), options_.anchor_arguments.begin(),
                     options_.anchor_arguments.end());
    std::error_code ignored;
    if (options_.run.resume && fs::exists(folder / "journal.jsonl", ignored))
      arguments.emplace_back("--resume");
    const auto end = run_to_its_end(arguments, log, interrupts_);
    if (end.signal != 0) {
      signal_ = end.signal;
      return {};
    }
    return usable_anchor(report, folder, log);
  }

  /// Without its anchor the night could not be compared with the nights before.
  Report usable_anchor(const Report& report, const fs::path& folder, const fs::path& log) const {
    try {
      auto anchor = read_report(folder);
      require_anchor_of(report, anchor, folder);
      return anchor;
    } catch (const UsageError& error) {
      throw std::runtime_error(fmt::format(
          "nightly: the anchor's run cannot be used ({}; its output: {}), so the night is "
          "not added. To add it without an anchor: vparity history add {} {}",
          error.what(), log.string(), options_.history, out_.string()));
    }
  }

  reports::ExitCode check(const Report& report) const {
    const auto history = read_history(options_.history);
    const auto found = judge(history, accepted_);
    const auto file = out_ / "history-check.json";
    reports::write_file_atomically(file,
                                   reports::json_document(to_json(found, history, accepted_)));
    if (reports::has_viewer()) write_page(report, history, found);
    const auto default_key = case_key(CaseParameters{});
    const auto text = history_check_text(found, history, accepted_, default_key, false);
    add_to_summary(text);
    print_line("");
    print_line(fmt::format("history: {}", file.string()));
    print_annotations(alarm_messages(found, history, default_key));
    print_out(text);
    return exit_code(found);
  }

  /// Before the run's own summary, under which an alarm would be missed. Indented text is not read
  /// as Markdown.
  void add_to_summary(const std::string& text) const {
    const auto file = out_ / "summary.md";
    std::string page = "# History\n\n";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) page += "    " + line + "\n";
    std::ostringstream run;
    run << std::ifstream(file).rdbuf();
    reports::write_file_atomically(file, page + "\n" + run.str());
  }

  /// Replaces the page of the run.
  void write_page(const Report& report, const reports::History& history,
                  const reports::HistoryCheck& found) const {
    const reports::HistoryPage page{&history, found, accepted_};
    write_html({{out_, &report}}, out_ / "report.html", nullptr, &page);
  }

  const NightlyOptions& options_;
  fs::path out_;
  std::vector<reports::AcceptedChange> accepted_;
  SignalQueue interrupts_{SIGINT, SIGTERM, SIGHUP};
  std::optional<int> signal_;
};

}  // namespace

int run_nightly(const NightlyOptions& options) { return NightlyJob(options).pass(); }

}  // namespace vparity::harness
