#include "harness/run/terminal/reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include "harness/io/standard_output.h"
#include "harness/io/terminal.h"
#include "reports/model/gate.h"
#include "reports/text/failure_text.h"

namespace vparity::harness {
namespace {

using reports::CaseResult;
using reports::Status;

// Terminals are rewritten as fast as can be read; a log file grows slowly.
constexpr std::chrono::milliseconds terminal_interval{100};
constexpr std::chrono::seconds log_interval{10};

constexpr auto clear_line = "\r\x1b[K";

double worst_error_ratio(const CaseResult& result) {
  double worst = 0;
  for (const auto& output : result.outputs) worst = std::max(worst, output.error_ratio);
  return worst;
}

std::string verbose_line(const CaseResult& result) {
  if (!result.known_failure.empty()) return "known " + failure_line(result);
  if (result.status == Status::skipped) {
    return fmt::format("skipped {}: {}", result.key, result.reason->text);
  }
  return fmt::format("passed {}: error ratio {:.3g}, {:.3f} s", result.key,
                     worst_error_ratio(result), result.wall_s);
}

std::string duration_text(double seconds) {
  constexpr double minute = 60;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", std::ceil(seconds));
  return fmt::format("{:.0f} min", std::ceil(seconds / minute));
}

}  // namespace

std::string progress_text(const Progress& progress) {
  auto text =
      fmt::format("{}/{} cases, {} failed", progress.decided, progress.planned, progress.failed);
  const auto left = progress.planned - progress.decided;
  if (progress.decided_here == 0 || left == 0) return text;
  const double seconds_per_case = progress.elapsed_s / static_cast<double>(progress.decided_here);
  return text + fmt::format(", about {} left",
                            duration_text(seconds_per_case * static_cast<double>(left)));
}

Reporter::Reporter(Verbosity verbosity, const RunRecord& record)
    : verbosity_(verbosity), terminal_(is_terminal()), record_(record) {}

Reporter::~Reporter() { clear_progress(); }

void Reporter::group_starts(std::string_view name, std::int64_t cases, int ranks) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const bool oversubscribed = ranks > cores;
  const bool shown = shows_groups() || (verbosity_ == Verbosity::normal && oversubscribed);
  const auto ranks_text =
      oversubscribed ? fmt::format(", oversubscribed: {} ranks on {} cores", ranks, cores) : "";
  if (shown) line(fmt::format("{}: {} cases{}", name, cases, ranks_text));
  if (terminal_) show_progress();
}

void Reporter::group_goes_on(std::string_view name, std::int64_t cases) {
  if (shows_groups()) line(fmt::format("{}: starts again with {} cases", name, cases));
}

bool Reporter::shows_groups() const {
  return verbosity_ == Verbosity::verbose || (verbosity_ == Verbosity::normal && !terminal_);
}

void Reporter::decided(const CaseResult& result) {
  ++decided_here_;
  show_case(result);
  const auto interval = terminal_ ? Clock::duration(terminal_interval) : log_interval;
  if (Clock::now() - last_progress_ >= interval) show_progress();
}

void Reporter::operands_saved(std::string_view id, std::string_view replay) {
  line(fmt::format("operands of case {} saved; replay: {}", id, replay));
}

void Reporter::left_out(std::int64_t cases, std::string_view why) {
  if (verbosity_ != Verbosity::silent) line(fmt::format("not_run {} cases: {}", cases, why));
}

void Reporter::line(std::string_view text) {
  clear_progress();
  print_line(text);
}

void Reporter::warn(std::string_view text) {
  clear_progress();
  print_error_line(fmt::format("vparity run: {}", text));
}

void Reporter::show_case(const CaseResult& result) {
  if (verbosity_ == Verbosity::silent) return;
  if (!fails_gate(result)) {
    if (verbosity_ == Verbosity::verbose) line(verbose_line(result));
    return;
  }
  clear_progress();
  const auto status = name_of(result.status);
  print_red(status);
  print_line(failure_line(result).substr(status.size()));
}

void Reporter::show_progress() {
  last_progress_ = Clock::now();
  if (verbosity_ <= Verbosity::quiet) return;
  const auto text =
      progress_text({.planned = std::ssize(record_.results()),
                     .decided = record_.decided_cases(),
                     .failed = record_.failed_cases(),
                     .decided_here = decided_here_,
                     .elapsed_s = std::chrono::duration<double>(last_progress_ - start_).count()});
  if (!terminal_) return line(text);
  print_commands(clear_line + text);
  progress_shown_ = true;
}

void Reporter::clear_progress() {
  if (!progress_shown_) return;
  print_commands(clear_line);
  progress_shown_ = false;
}

}  // namespace vparity::harness
